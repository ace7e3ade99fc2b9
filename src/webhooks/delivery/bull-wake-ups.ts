import { setTimeout as sleep } from 'node:timers/promises';
import { BullModule, InjectQueue, Process, Processor } from '@nestjs/bull';
import {
  type DynamicModule,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type Provider,
} from '@nestjs/common';
import type { ProcessCallbackFunction, Queue } from 'bull';
import { type Command, Redis, type RedisOptions } from 'ioredis';
import type { Secret } from '../../platform/config/secret.js';
import { waitAtMost } from '../../platform/database/connection/within-deadline.js';
import { Periodic } from '../../platform/jobs/periodic.js';
import { Deliveries, type WakeUps } from './deliveries.js';
import { DueAnnouncements } from './due-announcements.js';

const MOST_RECONNECT_MS = 2_000;
/**
 * A connection is probed after this long without traffic: one that only waits for jobs would otherwise never notice
 * that its server is gone.
 */
const KEEP_ALIVE_MS = 10_000;

/** The options in `REDIS_URL`, for Bull's connections. They connect in the background and retry. */
export function redisOptions(redisUrl: Secret): RedisOptions {
  const { protocol, hostname, port, username, password, pathname } = new URL(redisUrl.reveal());
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 6_379 : Number(port),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    db: Number(pathname.slice(1)) || 0,
    ...(protocol === 'rediss:' && { tls: {} }),
    keepAlive: KEEP_ALIVE_MS,
    retryStrategy: (attempt) => Math.min(attempt * 200, MOST_RECONNECT_MS),
  };
}

/** The name of the queue in Redis. */
export const WAKE_UPS_QUEUE = 'webhook-wake-ups';

/** How often a job is added in any case, which shows whether Redis accepts them. */
const EVERY_MS = 1_000;
/** For how long Redis counts as accepting jobs after the last one. */
const ACCEPTING_MS = 3_000;
/** How often a Redis is asked that refuses commands at the start. */
const PROBE_MS = 100;
/** How long closing the connections to Redis may take. */
const CLOSE_MS = 2_000;

type ConnectionUse = 'client' | 'subscriber' | 'bclient';

/**
 * A connection whose commands may fail unheard; a rejection that nobody catches would end the process. Two are dropped:
 * that of the name of a connection, by Bull (it matters to nobody), and that of a subscription that ioredis renews
 * after a reconnection.
 */
class ForgivingRedis extends Redis {
  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    command.promise.catch(() => undefined);
    const sent = super.sendCommand(command, stream);
    return command.name === 'client' ? command.promise.catch(() => undefined) : sent;
  }
}

/** Bull's connections to Redis, ended here: Bull waits for the answers of connections that it ends. */
class BullConnections {
  private readonly all: Redis[] = [];

  /** `createClient` of a queue. */
  readonly create = (use: ConnectionUse, options: RedisOptions = {}): Redis => {
    // Bull demands that commands of the others wait for a connection for as long as it takes.
    const client = new ForgivingRedis({ ...options, ...(use !== 'client' && { maxRetriesPerRequest: null }) });
    // Bull's own listener is gone once the queue is closed.
    client.on('error', () => undefined);
    this.all.push(client);
    return client;
  };

  /** Ends all of them at once. */
  end(): void {
    for (const client of this.all) if (client.status !== 'end') client.disconnect();
  }
}

/**
 * Wakes the processes through Bull when a delivery is due (P-3). A job says nothing else: the database decides what is
 * due, and announces it as well, so that nothing waits for Redis and nothing is lost with it.
 */
@Processor(WAKE_UPS_QUEUE)
export class BullWakeUps implements WakeUps, OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(BullWakeUps.name);
  private readonly loop = new Periodic({
    everyMs: EVERY_MS,
    work: () => waitAtMost(EVERY_MS, this.add()),
    onError: () => undefined,
  });
  /** Under way, and perhaps for long: a connection keeps each command until its answer comes. */
  private adding: Promise<void> | undefined;
  private acceptedMs = -Infinity;
  private isAway = false;
  private isClosed = false;

  constructor(
    @InjectQueue(WAKE_UPS_QUEUE) private readonly queue: Queue,
    private readonly connections: BullConnections,
    private readonly deliveries: Deliveries,
    announcements: DueAnnouncements,
  ) {
    queue.on('error', (error) => {
      this.away(error);
    });
    const process = queue.process.bind(queue);
    Object.assign(queue, { process: (handler: ProcessCallbackFunction<unknown>) => this.process(process, handler) });
    deliveries.wokenBy(this);
    announcements.to({ wake: () => void this.add() });
  }

  get state(): 'up' | 'degraded' {
    const isAccepting = performance.now() - this.acceptedMs < ACCEPTING_MS;
    return isAccepting && this.queue.client.status === 'ready' ? 'up' : 'degraded';
  }

  @Process()
  wake(): void {
    this.deliveries.wake();
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Never fails: there is nothing in Redis that is not in Postgres. */
  async onModuleDestroy(): Promise<void> {
    this.isClosed = true;
    await this.loop.stop();
    const closed = this.queue.close(true).catch((error: unknown) => {
      this.log.warn('the queue could not be closed', error);
    });
    await waitAtMost(CLOSE_MS, closed);
    this.connections.end();
  }

  /**
   * Takes jobs from Redis as soon as it accepts commands. If it refused Bull's first command, the process would end:
   * Bull drops a promise of it that nobody else can catch.
   */
  private async process(
    process: (handler: ProcessCallbackFunction<unknown>) => Promise<void>,
    handler: ProcessCallbackFunction<unknown>,
  ): Promise<void> {
    while (!(await this.isAccepting())) {
      await sleep(PROBE_MS, undefined, { ref: false });
      if (this.isClosed) return;
    }
    await process(handler).catch((error: unknown) => {
      this.log.warn('jobs are no longer taken from Redis', error);
    });
  }

  private async isAccepting(): Promise<boolean> {
    const { client } = this.queue;
    return (
      client.status === 'ready' &&
      client.ping().then(
        () => true,
        () => false,
      )
    );
  }

  private add(): Promise<void> {
    this.adding ??= this.addOne()
      .catch((error: unknown) => {
        this.away(error);
      })
      .finally(() => {
        this.adding = undefined;
      });
    return this.adding;
  }

  /** One job a second at most is left in Redis, whatever becomes of the processes that take them. */
  private async addOne(): Promise<void> {
    if (this.isClosed || this.queue.client.status !== 'ready') return;
    if (await this.queue.isPaused()) throw new Error('The queue is paused in Redis');
    const jobId = String(Math.floor(Date.now() / 1_000));
    await this.queue.add({}, { jobId, removeOnComplete: true, removeOnFail: true, attempts: 1 });
    this.acceptedMs = performance.now();
    if (this.isAway) this.log.log('Redis is back');
    this.isAway = false;
  }

  private away(error: unknown): void {
    this.acceptedMs = -Infinity;
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    this.log.warn('Redis wakes nobody; the database does', error);
  }
}

/** Modules and providers with which the processes wake each other through Bull. */
export function throughBull(redisUrl: Secret): {
  readonly imports: readonly DynamicModule[];
  readonly providers: readonly Provider[];
} {
  const connections = new BullConnections();
  const queue = BullModule.registerQueue({
    name: WAKE_UPS_QUEUE,
    redis: redisOptions(redisUrl),
    createClient: connections.create,
    prefix: 'matricula',
    // The timer of Bull's guard outlives the queue by one interval.
    settings: { retryProcessDelay: 1_000, guardInterval: 500, maxStalledCount: 0 },
  });
  return { imports: [queue], providers: [{ provide: BullConnections, useValue: connections }, BullWakeUps] };
}
