import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { LIVING_PROCESSES } from '../advisory-locks.js';
import type { GuardedClient } from './guarded-client.js';
import type { Primary } from './primary.js';

const RECONNECT_MS = 250;
const HEARTBEAT_MS = 1_000;
const HEARTBEAT_DEADLINE_MS = 3_000;

/**
 * Says to all processes on a database that this one lives, by an advisory lock on a connection that does nothing else: it
 * falls with the connection, and so at the process's end, however it comes. A connection that breaks is made again, with the
 * same key: the lock is shared with itself, so that it need not wait for the server to find out about the one before.
 */
export class SessionLock {
  /** Of this process among all that live; positive. */
  readonly key = randomInt(1, 2 ** 31 - 1);
  private client: GuardedClient | undefined;
  private held = false;
  private holding: Promise<void> | undefined;
  private life = new AbortController();
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly primary: Primary) {}

  /**
   * Whether the process is known to live: not before the first time, nor while a connection that broke is made again.
   */
  get isHeld(): boolean {
    return this.held;
  }

  /** Calls `listener` each time when it is held. */
  onHeld(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Takes the lock as soon as the database can be reached, and keeps it. */
  start(): void {
    this.life = new AbortController();
    this.holding ??= this.hold();
  }

  /** Lets go of it. */
  async stop(): Promise<void> {
    this.life.abort();
    this.drop();
    await this.holding;
    this.holding = undefined;
  }

  private async hold(): Promise<void> {
    const { signal } = this.life;
    while (!signal.aborted) {
      await this.holdOnce(signal).catch(() => undefined);
      this.drop();
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Ends when the connection breaks or does not answer. */
  private async holdOnce(signal: AbortSignal): Promise<void> {
    const client = await this.primary.connect('matricula process', signal);
    this.client = client;
    const broken = new Promise<never>((_, reject) => {
      client.on('error', reject);
      client.on('end', () => {
        reject(new Error('The connection has ended'));
      });
    });
    broken.catch(() => {
      if (this.client === client) this.held = false;
    });
    signal.throwIfAborted();
    // A host that is gone without a word is found out by the server within seconds.
    const lock = client.query(`
      select set_config('tcp_keepalives_idle', '2', false), set_config('tcp_keepalives_interval', '1', false),
             set_config('tcp_keepalives_count', '3', false), pg_advisory_lock_shared(${LIVING_PROCESSES}, ${this.key})`);
    await within(HEARTBEAT_DEADLINE_MS, lock);
    signal.throwIfAborted();
    this.held = true;
    for (const listener of this.listeners) listener();
    while (this.held) {
      await Promise.race([sleep(HEARTBEAT_MS, undefined, { signal }), broken]);
      await within(HEARTBEAT_DEADLINE_MS, client.query('select 1'));
    }
  }

  /** Without a farewell: a connection that is dead would not take it. */
  private drop(): void {
    this.held = false;
    this.client?.connection.stream.destroy();
    this.client = undefined;
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`The database did not answer within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
    work.catch(() => undefined);
  }
}
