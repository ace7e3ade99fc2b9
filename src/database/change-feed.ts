import pg from 'pg';

/** What other processes announce through `pg_notify`. */
export type Channel = 'client_changed' | 'signing_key_changed' | 'places_changed';

type Listener = () => Promise<void>;

const RECONNECT_MS = 250;
const HEARTBEAT_MS = 1_000;
const HEARTBEAT_DEADLINE_MS = 1_000;

/**
 * Follows changes that other processes announce (LISTEN) on a connection of its own. A notification carries no data:
 * a listener reads again what it caches. It is also called after every (re)connection, since whatever was announced
 * meanwhile was missed. A heartbeat finds a connection that died without a word.
 */
export class ChangeFeed {
  private readonly listeners = new Map<Channel, Listener[]>();
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly url: string,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Calls `listener` after every announcement on `channel`. */
  on(channel: Channel, listener: Listener): void {
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), listener]);
  }

  /** Connects, and calls every listener once. Throws when the database cannot be reached. */
  async start(): Promise<void> {
    this.stopped = false;
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'matricula change feed',
      keepAlive: true,
    });
    this.client = client;
    client.on('error', () => {
      this.reconnectFrom(client);
    });
    client.on('end', () => {
      this.reconnectFrom(client);
    });
    client.on('notification', ({ channel }) => {
      this.announce(channel as Channel).catch(this.onError);
    });
    await client.connect();
    for (const channel of this.listeners.keys()) await client.query(`listen ${channel}`);
    for (const channel of this.listeners.keys()) await this.announce(channel);
    this.timer = setTimeout(() => void this.heartbeat(client), HEARTBEAT_MS);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private async announce(channel: Channel): Promise<void> {
    for (const listener of this.listeners.get(channel) ?? []) await listener();
  }

  private async heartbeat(client: pg.Client): Promise<void> {
    const deadline = setTimeout(() => {
      this.reconnectFrom(client);
    }, HEARTBEAT_DEADLINE_MS);
    try {
      await client.query('select 1');
      this.timer = setTimeout(() => void this.heartbeat(client), HEARTBEAT_MS);
    } catch {
      this.reconnectFrom(client);
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Gives the connection up and makes another, again and again until the database answers. */
  private reconnectFrom(client: pg.Client): void {
    if (this.stopped || this.client !== client) return;
    this.client = undefined;
    clearTimeout(this.timer);
    client.end().catch(() => undefined);
    this.timer = setTimeout(() => {
      this.start().catch((error: unknown) => {
        this.onError(error);
        const failed = this.client;
        if (failed !== undefined) this.reconnectFrom(failed);
      });
    }, RECONNECT_MS);
  }
}
