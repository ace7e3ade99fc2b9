import { Database } from '../../src/platform/database/pools/database.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import type { DeliveryView } from '../../src/webhooks/delivery/delivery-log.js';
import type { PublishedChange } from '../../src/events/write/event-publisher.js';
import type { Topic } from '../../src/kernel/domain/life-cycle/topic.js';
import { aPublishedChange } from './builders/a-published-change.js';
import { type DeliveryService, startDeliveryService } from './delivery-service.js';
import { eventually } from './eventually.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { isRedisInstalled, type RedisServer, startRedisServer } from './redis-server.js';
import { type ScriptedSubscriber, startScriptedSubscriber } from './scripted-subscriber.js';

/** A client and its subscription, with the key that signs what it is sent. */
export interface Subscribed {
  readonly clientId: Uuid;
  readonly id: Uuid;
  readonly key: string;
}

/** What a test opens; it is closed after it, the latest first. */
export interface Openings {
  readonly database: () => TestDatabase['database'];
  readonly url: () => string;
  readonly aService: (more?: Readonly<Record<string, string>>) => Promise<DeliveryService>;
  readonly aSubscriber: () => Promise<ScriptedSubscriber>;
  readonly aRedis: () => Promise<RedisServer>;
  /** Has something else closed with them. */
  readonly closeAfter: (close: () => Promise<void>) => void;
  /** What was tried of each delivery, and how far it is. */
  readonly attempts: () => Promise<readonly { readonly status: string; readonly errors: readonly string[] }[]>;
}

/** Where nothing listens. */
export const FAR_AWAY = { url: (): string => 'https://127.0.0.1:1/' };

/** For each test a database of its own, on which services run in the environment. */
export function openings(environment: () => Readonly<Record<string, string>>): Openings {
  let test: TestDatabase;
  let opened: (() => Promise<void>)[];

  beforeEach(async () => {
    opened = [];
    test = await createTestDatabase();
  });
  afterEach(async () => {
    for (const close of opened.reverse()) await close();
    await test.drop();
  });

  return {
    database: () => test.database,
    url: () => test.url,
    aService: async (more = {}) => {
      const service = await startDeliveryService(test, { ...environment(), ...more });
      opened.push(() => service.close());
      return service;
    },
    aSubscriber: async () => {
      const subscriber = await startScriptedSubscriber();
      opened.push(() => subscriber.close());
      return subscriber;
    },
    aRedis: async () => {
      const redis = await startRedisServer();
      opened.push(() => redis.stop());
      return redis;
    },
    closeAfter: (close) => void opened.push(close),
    attempts: () =>
      test.database.query(sql`
        select d.status, array_agg(a.error order by a.at) as errors
          from webhook_delivery d left join webhook_attempt a on a.delivery_id = d.id group by d.id, d.status`),
  };
}

/** Subscribes a new client, without asking its callback. */
export async function subscribe(
  { registerClient, subscriptions }: DeliveryService,
  subscriber: Pick<ScriptedSubscriber, 'url'>,
  topic: Topic = 'BIRTH_REGISTERED',
  format: 'standard' | 'opencrvs-1x' = 'standard',
): Promise<Subscribed> {
  const { clientId, shaSecret } = await registerClient();
  await subscriptions.subscribe({ clientId, topic, callback: subscriber.url(), format, query: null });
  const [subscription] = (await subscriptions.all()).filter((one) => one.clientId === clientId);
  if (subscription === undefined) throw new Error('not subscribed');
  return { clientId, id: subscription.id, key: shaSecret.reveal() };
}

/** So many registered births. */
export const many = (count: number): PublishedChange[] => Array.from({ length: count }, () => aPublishedChange());

/** What the log tells of a subscription, the newest first. */
export const deliveriesOf = async ({ log }: DeliveryService, { id }: Subscribed): Promise<readonly DeliveryView[]> =>
  (await log.page(id, { limit: 1_000 })).deliveries;

/** Waits until all deliveries of a subscription have a status. */
export const untilAll = ({ app }: DeliveryService, { id }: Subscribed, status: DeliveryView['status']): Promise<void> =>
  eventually(`all are ${status}`, async () => {
    const others = await app
      .get(Database)
      .query(sql`select from webhook_delivery where subscription_id = ${id} and status <> ${status} limit 1`);
    return others.length === 0;
  });

/** The status of each subscription of a client. */
export const statusOf = async ({ subscriptions }: DeliveryService, { clientId }: Subscribed): Promise<unknown> =>
  (await subscriptions.all()).filter((one) => one.clientId === clientId).map(({ status }) => status);

/** What holds however deliveries are dispatched, in the process and through Bull; `more` holds of Bull alone. */
export function ofBothDispatches(contract: (opens: Openings) => void, more?: (opens: Openings) => void): void {
  describe('deliveries dispatched in the process', () => {
    contract(openings(() => ({})));
  });

  (isRedisInstalled() ? describe : describe.skip)('deliveries dispatched through Bull', () => {
    let redis: RedisServer;
    beforeAll(async () => {
      redis = await startRedisServer();
    });
    afterAll(() => redis.stop());

    const opens = openings(() => ({ REDIS_URL: redis.url }));
    contract(opens);
    more?.(opens);
  });
}
