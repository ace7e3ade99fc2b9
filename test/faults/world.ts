import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { EventDocument } from '../../src/kernel/domain/event-action.js';
import { eventually } from '../support/eventually.js';
import { type RedisServer, startRedisServer } from '../support/redis-server.js';
import { testAuthority } from '../support/scripted-subscriber.js';
import { TokenIssuer } from '../support/token-issuer.js';
import { Ledger, type Tally } from './ledger.js';
import type { PostgresServer } from './postgres-server.js';
import { Receiver } from './receiver.js';
import { aRegistration, ask, type Client, postEvent } from './requests.js';
import type { Dispatch, Scenario } from './scenario.js';
import { ServiceProcess } from './service-process.js';
import { sharedStage, type Stage } from './stage.js';

/** How long everything may take to be delivered once a fault is over. */
const DELIVERED_MS = 300_000;
/** How long an event may be refused for, a service being away. */
const TAKEN_MS = 60_000;
const SENDERS = 4;
/** Between two events of one sender, while a fault is awaited. */
const PACE_MS = 20;
/** Events before and after what happens. */
const MARGIN = 40;

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/**
 * What one scenario has to itself: a database, Redis where it is dispatched through Bull, a service and its
 * subscribers.
 */
export class World {
  readonly ledger = new Ledger();
  /** What the scenario has to tell beside what is counted. */
  seen = '';
  isOver = false;
  private readonly issuer = new TokenIssuer();
  /** An administrator's, good by clocks that are minutes off as well. */
  readonly token = this.issuer.token({ iat: nowSeconds() - 600, exp: nowSeconds() + 1_200 });
  private readonly services: ServiceProcess[] = [];
  private readonly receivers: Receiver[] = [];

  private constructor(
    readonly stage: Stage,
    private readonly ownRedis: RedisServer | undefined,
    /** Of its processes, and of commands beside them. */
    readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async create(scenario: Scenario, dispatch: Dispatch, postgres: PostgresServer): Promise<World> {
    const stage = await (scenario.stage ?? sharedStage)(postgres);
    const redis = dispatch === 'Bull' ? await startRedisServer() : undefined;
    if (scenario.redisAtStart === false) await redis?.kill();
    const world = new World(stage, redis, {
      ...stage.environment,
      DATABASE_POOL_SIZE: '8',
      SECRETS_KEY: randomBytes(32).toString('base64'),
      ...(redis && { REDIS_URL: redis.url }),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA: testAuthority.certificate,
      WEBHOOK_TIMEOUT_SECONDS: '2',
      // The least that the time-out allows.
      WEBHOOK_LEASE_SECONDS: '12',
      WEBHOOK_RETRY_SECONDS: Array(60).fill('1').join(','),
      ...scenario.environment,
    });
    try {
      await world.startService();
      await world.addSubscriber();
    } catch (error) {
      await world.remove();
      throw world.explained(error);
    }
    return world;
  }

  /** The first process. */
  get service(): ServiceProcess {
    return first(this.services);
  }

  /** The first subscriber. */
  get subscriber(): Receiver {
    return first(this.receivers);
  }

  get redis(): RedisServer {
    if (this.ownRedis === undefined) throw new Error('the scenario has no Redis');
    return this.ownRedis;
  }

  /** Another process on the same database, with `more` in its environment. */
  async startService(more: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const service = new ServiceProcess({ JWT_PRIVATE_KEY: this.issuer.pem, ...this.environment, ...more });
    this.services.push(service);
    await service.start();
    return service;
  }

  /** A subscriber to births that are registered, as a client of its own. */
  async addSubscriber(): Promise<Receiver> {
    const receiver = await Receiver.start(this.ledger.addSubscriber());
    this.receivers.push(receiver);
    await this.subscribe([receiver.callback]);
    return receiver;
  }

  /** Subscribes a client of its own to births that are registered, at each of the callbacks. */
  async subscribe(callbacks: readonly string[]): Promise<Subscribed> {
    const { publicUrl = '', internalUrl = '' } = this.service.urls ?? {};
    const client = await ask<Client>(201, `${internalUrl}/registerSystemClient`, await this.token, {
      scope: 'WEBHOOK',
    });
    const credentials = { ...client, grant_type: 'client_credentials' };
    const { access_token: token } = await ask<{ access_token: string }>(200, `${publicUrl}/token`, '', credentials);
    for (const callback of callbacks) {
      const hub = { callback, mode: 'subscribe', topic: 'BIRTH_REGISTERED', secret: client.sha_secret };
      await ask(202, `${publicUrl}/webhooks`, token, { hub });
    }
    return { token, clientId: client.client_id };
  }

  /** Ends every subscription of a client, as it does itself. */
  async unsubscribe({ token }: Subscribed): Promise<void> {
    const url = `${this.service.urls?.publicUrl ?? ''}/webhooks`;
    const headers = { authorization: `Bearer ${token}` };
    const { entries } = (await (await fetch(url, { headers })).json()) as { entries: readonly { id: string }[] };
    for (const { id } of entries) {
      const { status } = await fetch(`${url}/${id}`, { method: 'DELETE', headers });
      if (status !== 204) throw new Error(`a subscription could not be ended: ${status}`);
    }
  }

  /** Forgets what was or is to be delivered to callbacks that nobody counts. */
  async forget(callbacksLike: string): Promise<void> {
    await this.query(`delete from webhook_subscription where callback like '${callbacksLike}'`);
  }

  /** Sends `count` events to the service, each until it is taken; yields their ids. */
  async send(count: number, service = this.service): Promise<readonly string[]> {
    const documents = Array.from({ length: count }, aRegistration);
    const waiting = [...documents];
    await this.senders(async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await this.trigger(next, service);
    });
    return documents.map(({ id }) => id);
  }

  /** Lets something happen while events keep coming: some before it, some meanwhile, some after it. */
  async meanwhile(happens: () => Promise<unknown>, service = this.service): Promise<void> {
    const until = async (taken: number): Promise<void> =>
      eventually('events are taken', () => this.ledger.taken >= taken, TAKEN_MS);
    let over = false;
    const coming = this.senders(async () => {
      while (!over) {
        await this.trigger(aRegistration(), service);
        await sleep(PACE_MS);
      }
    });
    const happening = async (): Promise<void> => {
      await until(this.ledger.taken + MARGIN);
      await happens();
      await until(this.ledger.taken + MARGIN);
    };
    await Promise.all([
      coming,
      happening().finally(() => {
        over = true;
      }),
    ]);
  }

  /** Everything that was taken has been delivered, and the outbox says so. */
  async delivered(): Promise<void> {
    await eventually('everything is delivered', () => this.ledger.tally().lost === 0, DELIVERED_MS);
    const { due } = this.ledger.tally();
    await eventually('the outbox knows', async () => {
      const [row] = await this.query<{ delivered: number; others: number; claims: number }>(`
        select (select count(*)::int from webhook_delivery where status = 'delivered') as delivered,
               (select count(*)::int from webhook_delivery where status <> 'delivered') as others,
               (select count(*)::int from webhook_subscription where claim_token is not null) as claims`);
      return row !== undefined && row.delivered === due && row.others === 0 && row.claims === 0;
    });
  }

  /** The token of a user with these scopes. */
  userToken(scope: readonly string[]): Promise<string> {
    return this.issuer.token({ sub: 'registrar', userType: 'user', scope });
  }

  /** The token of a system client that has registered. */
  clientToken(sub: string, scope: readonly string[]): Promise<string> {
    return this.issuer.token({ sub, userType: 'system', scope });
  }

  /** A statement of the test's own, on a connection of its own. */
  async query<Row>(statement: string): Promise<Row[]> {
    return this.connected(async (client) => (await client.query(statement)).rows as Row[]);
  }

  /** Runs `work` on a connection of its own. */
  async connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: await this.stage.url() });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Attempts of which the service does not know what the subscriber answered, or whether it did. */
  async unanswered(): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      'select count(*)::int as count from webhook_attempt where status is null',
    );
    return row?.count ?? 0;
  }

  /** Ends every process well, and counts. */
  async end(): Promise<Tally> {
    await Promise.all(this.services.map((service) => service.stop()));
    const [stranger] = this.ledger.strangers;
    if (stranger !== undefined) throw new Error(`a subscriber was notified of ${stranger}, which nobody has sent`);
    return this.ledger.tally();
  }

  /** Leaves nothing behind, whatever happened. */
  async remove(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.services.map((service) => service.kill()));
    await Promise.all(this.receivers.map((receiver) => receiver.down().catch(() => undefined)));
    await this.ownRedis?.stop();
    await this.stage.remove();
  }

  /** The failure with what the processes complained of last. */
  explained(error: unknown): Error {
    const complaints = this.services.map(({ latestComplaints }, at) => `process ${at + 1}:\n${latestComplaints}`);
    const message = error instanceof Error ? error.message : String(error);
    return new Error([message, JSON.stringify(this.ledger.tally()), ...complaints].join('\n'), { cause: error });
  }

  private senders(work: () => Promise<void>): Promise<unknown> {
    return Promise.all(Array.from({ length: SENDERS }, work));
  }

  /** As a country's trigger feed does: what was not answered with 200 is sent again, to whoever listens now. */
  private async trigger(document: EventDocument, service: ServiceProcess): Promise<void> {
    const body = JSON.stringify(document);
    const token = await this.token;
    const until = performance.now() + TAKEN_MS;
    for (;;) {
      const status = await postEvent(service.urls?.internalUrl, token, body);
      if (status === 200) break;
      if (status !== undefined && status < 500) throw new Error(`an event was refused with ${status}`);
      if (performance.now() > until) throw new Error(`an event was not taken within ${TAKEN_MS} ms`);
      await sleep(PACE_MS);
    }
    this.ledger.take(document.id);
  }
}

/** A client that has subscribed. */
export interface Subscribed {
  readonly token: string;
  readonly clientId: string;
}

function first<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error('there is none yet');
  return one;
}
