import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { LIVING_PROCESSES } from './advisory-locks.js';
import { withinDeadline } from './within-deadline.js';
import type { GuardedClient } from './guarded-client.js';
import type { Primary } from './primary.js';
import { SILENT_END } from './session-settings.js';

const RECONNECT_MS = 250;
const HEARTBEAT_MS = 1_000;
const HEARTBEAT_DEADLINE_MS = 3_000;

/**
 * Shows all processes on a database that this one is alive, through an advisory lock on a separate connection: the lock
 * is released with the connection, and so at the end of the process, however it ends. A broken connection is replaced
 * and takes the same key: the lock is shared, so it need not wait until the server notices that the old connection is
 * gone.
 */
export class SessionLock {
  /** Unique among the living processes; positive. */
  readonly key = randomInt(1, 2 ** 31 - 1);
  private client: GuardedClient | undefined;
  private held = false;
  /** When it was taken, by `performance.now()`. */
  private heldMs = Infinity;
  private holding: Promise<void> | undefined;
  private life = new AbortController();
  /** Who has started it and not stopped it: each of the outboxes. */
  private users = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly primary: Primary) {}

  /**
   * Whether the process is known to be alive: not before the first time, nor while a broken connection is being
   * replaced.
   */
  get isHeld(): boolean {
    return this.held;
  }

  /**
   * Whether it has been held without interruption since that time, by `performance.now()`: others may have taken what
   * was claimed before, even if it was held again a moment later.
   */
  isHeldSince(sinceMs: number): boolean {
    return this.held && this.heldMs <= sinceMs;
  }

  /** Calls `listener` each time the lock has been taken. */
  onHeld(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Takes the lock as soon as the database can be reached, and keeps it until everyone who started it has stopped it.
   */
  start(): void {
    this.users += 1;
    if (this.users > 1) return;
    this.life = new AbortController();
    this.holding ??= this.hold();
  }

  /** Releases it, unless somebody else still needs it. */
  async stop(): Promise<void> {
    this.users = Math.max(0, this.users - 1);
    if (this.users > 0) return;
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
    const broken = new AbortController();
    const onBroken = (): void => {
      if (this.client === client) this.held = false;
      broken.abort();
    };
    client.on('error', onBroken);
    client.on('end', onBroken);
    const ended = AbortSignal.any([signal, broken.signal]);
    signal.throwIfAborted();
    const lock = client.query(`${SILENT_END}; select pg_advisory_lock_shared(${LIVING_PROCESSES}, ${this.key})`);
    await withinDeadline(HEARTBEAT_DEADLINE_MS, 'The database', lock);
    signal.throwIfAborted();
    this.heldMs = performance.now();
    this.held = true;
    for (const listener of this.listeners) listener();
    while (this.held) {
      await sleep(HEARTBEAT_MS, undefined, { signal: ended });
      await withinDeadline(HEARTBEAT_DEADLINE_MS, 'The database', client.query('select 1'));
    }
  }

  /** Without a terminate message: a dead connection would not accept it. */
  private drop(): void {
    this.held = false;
    this.client?.connection.stream.destroy();
    this.client = undefined;
  }
}
