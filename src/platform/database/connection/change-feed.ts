import { setTimeout as sleep } from 'node:timers/promises';
import { asError } from '../../../kernel/errors/service-error.js';
import { Refresher } from '../../jobs/periodic.js';
import type { GuardedClient } from './guarded-client.js';
import type { Primary } from './primary.js';
import { together } from './queryable.js';
import { withinDeadline } from './within-deadline.js';

export type Channel =
  | 'client_changed'
  | 'signing_key_changed'
  | 'places_changed'
  | 'place_versions_changed'
  | 'delivery_due'
  | 'subscription_ended'
  | 'confirmation_due'
  | 'confirmation_settled'
  | 'user_changed'
  | 'token_revoked'
  | 'user_notice_due';

type Listener = () => Promise<void> | void;

const RECONNECT_MS = 250;
const HEARTBEAT_MS = 1_000;
const HEARTBEAT_DEADLINE_MS = 1_000;

/**
 * Follows changes (LISTEN) on a separate connection. Listeners reread their caches, one call at a time; channels are
 * independent, so that a revocation is heard within two seconds. Each (re)connection calls all listeners; a failing one
 * forces a reconnection. A heartbeat detects dead connections.
 */
export class ChangeFeed {
  private readonly listeners = new Map<string, Listener[]>();
  /** By channel: announcements that wait for a call merge. */
  private readonly calls = new Map<string, Refresher>();
  private client: GuardedClient | undefined;
  private failure: Error | undefined;
  private readingsNoted = 0;
  private following = false;
  private reconnecting: Promise<void> | undefined;
  private life = new AbortController();

  /** `onError` is called once per failure, not per attempt. */
  constructor(
    private readonly primary: Primary,
    private readonly onError: (error: unknown) => void,
  ) {
    primary.onNewServer(() => {
      if (this.client !== undefined) this.lose(this.client, new Error('The change feed is that of another server'));
    });
  }

  /** Call before `start()`. */
  on(channel: Channel, listener: Listener): void {
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), listener]);
    if (!this.calls.has(channel)) this.calls.set(channel, new Refresher(() => this.callListeners(channel)));
  }

  /** Connects and calls every listener once. Throws if either fails. */
  async start(): Promise<void> {
    this.life = new AbortController();
    await this.follow();
  }

  /** Afterwards no listener runs or will be called. */
  async stop(): Promise<void> {
    this.life.abort();
    this.dropClient();
    await this.reconnecting;
    await Promise.all([...this.calls.values()].map((calls) => calls.settled()));
  }

  /** For this process's own committed changes. Never throws; failed listeners are called again. */
  async heed(channel: Channel): Promise<void> {
    await this.announce([channel]).catch((error: unknown) => {
      if (this.client !== undefined) this.lose(this.client, error);
    });
  }

  /** A dead connection is detected within two seconds. */
  get isFollowing(): boolean {
    return this.following;
  }

  /** Counts readings: results stay valid while this is constant and changes are heard. */
  get readings(): number {
    return this.readingsNoted;
  }

  /** Call after each reading, even a partial one. */
  noteReading(): void {
    this.readingsNoted += 1;
  }

  private async follow(): Promise<void> {
    const client = await this.primary.connect('matricula change feed', this.life.signal);
    this.client = client;
    this.failure = undefined;
    client.on('error', (error) => {
      this.lose(client, error);
    });
    client.on('end', () => {
      this.lose(client, new Error('The connection of the change feed has ended'));
    });
    client.on('notification', ({ channel }) => {
      this.announce([channel]).catch((error: unknown) => {
        this.lose(client, error);
      });
    });
    try {
      this.life.signal.throwIfAborted();
      for (const channel of this.listeners.keys()) await client.query(`listen ${channel}`);
      await this.announce(this.listeners.keys());
      this.life.signal.throwIfAborted();
      this.requireSound(client);
      this.following = true;
      void this.beat(client);
    } catch (error) {
      this.dropClient();
      throw error;
    }
  }

  private requireSound(client: GuardedClient): void {
    if (this.failure !== undefined) throw this.failure;
    if (client.connection.stream.destroyed) throw new Error('The connection of the change feed has ended');
  }

  private async announce(channels: Iterable<string>): Promise<void> {
    const calls = [...channels].flatMap((channel) => this.calls.get(channel) ?? []);
    await Promise.all(calls.map((call) => call.refresh()));
  }

  private async callListeners(channel: string): Promise<void> {
    if (this.life.signal.aborted) return;
    // A failure must not let the next call begin while others run.
    await together(...(this.listeners.get(channel) ?? []).map(async (listener) => listener()));
  }

  private async beat(client: GuardedClient): Promise<void> {
    try {
      while (this.client === client) {
        await withinDeadline(HEARTBEAT_DEADLINE_MS, 'The connection of the change feed', client.query('select 1'));
        await sleep(HEARTBEAT_MS, undefined, { signal: this.life.signal });
      }
    } catch (error) {
      this.lose(client, error);
    }
  }

  /** Replaces the connection, if it is current; `follow` handles one that it opens. */
  private lose(client: GuardedClient, error: unknown): void {
    if (this.client !== client) return;
    if (!this.following) {
      this.failure ??= asError(error);
      return;
    }
    this.dropClient();
    this.onError(error);
    this.reconnecting = this.reconnect();
  }

  private async reconnect(): Promise<void> {
    const { signal } = this.life;
    while (!this.following && !signal.aborted) {
      await sleep(RECONNECT_MS, undefined, { signal })
        .then(() => this.follow())
        .catch(() => undefined);
    }
  }

  /** No terminate message: a dead connection would not accept it. */
  private dropClient(): void {
    this.client?.connection.stream.destroy();
    this.client = undefined;
    this.following = false;
  }
}

/**
 * A cache of database contents. `load` rereads them after announcements and reconnections, and on each use while
 * changes are not heard (Q-4, G-3).
 */
export abstract class Followed {
  private readonly refresher = new Refresher(() =>
    this.load().finally(() => {
      this.feed.noteReading();
    }),
  );

  constructor(
    protected readonly feed: ChangeFeed,
    channel: Channel,
  ) {
    feed.on(channel, () => this.refresh());
  }

  protected abstract load(): Promise<void>;

  /** At once while changes are followed, otherwise after a shared reload. Throws if the database is unavailable. */
  async current(): Promise<void> {
    if (!this.feed.isFollowing) await this.refresh();
  }

  /** Includes everything committed before the call. */
  refresh(): Promise<void> {
    return this.refresher.refresh();
  }
}
