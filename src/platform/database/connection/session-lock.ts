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
 * Shows that this process is alive, by an advisory lock on a separate connection. The lock is shared, so that a
 * replacement connection need not wait for the server to notice the old one's end.
 */
export class SessionLock {
  /** Unique among the living processes; positive. */
  readonly key = randomInt(1, 2 ** 31 - 1);
  private client: GuardedClient | undefined;
  private held = false;
  private heldMs = Infinity;
  private holding: Promise<void> | undefined;
  private life = new AbortController();
  /** Starts without stops: one per outbox. */
  private users = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly primary: Primary) {}

  /** False before the first lock and while a broken connection is replaced. */
  get isHeld(): boolean {
    return this.held;
  }

  /** By `performance.now()`: after any interruption others may have taken earlier claims. */
  isHeldSince(sinceMs: number): boolean {
    return this.held && this.heldMs <= sinceMs;
  }

  onHeld(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Keeps the lock until every user has stopped it. */
  start(): void {
    this.users += 1;
    if (this.users > 1) return;
    this.life = new AbortController();
    this.holding ??= this.hold();
  }

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

  /** No terminate message: a dead connection would not accept it. */
  private drop(): void {
    this.held = false;
    this.client?.connection.stream.destroy();
    this.client = undefined;
  }
}
