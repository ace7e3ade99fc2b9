import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Holdings } from '../../kernel/domain/scopes/caller.js';
import { grantsOf } from '../access/scope-permissions.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Followed } from '../../platform/database/connection/followed.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { ClientKey } from './client-keys.js';
import { SECRETS_COLUMNS, type StoredSecrets } from './client-secrets.js';

export interface ActiveClient extends StoredSecrets {
  readonly clientId: Uuid;
  readonly scopes: readonly string[];
  /** For assertions; null if none is registered. */
  readonly keys: readonly ClientKey[] | null;
}

export const CLIENT_COLUMNS: Sql = sql`client_id as "clientId", scopes, jwks->'keys' as keys, ${SECRETS_COLUMNS}`;

const HOLDINGS = new WeakMap<ActiveClient, Holdings>();

/** Notifies in the transaction. After the commit, this process heeds `client_changed`. */
export const ANNOUNCE_CLIENTS: Sql = sql`select pg_notify('client_changed', '')`;

/** Caches active system clients, to refuse tokens at once (G-3). */
@Injectable()
export class ClientStatus implements OnModuleInit {
  private active: ReadonlyMap<string, ActiveClient> = new Map();
  private readAtMs = 0;
  private readonly changes: Followed;

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    private readonly feed: ChangeFeed,
  ) {
    this.changes = new Followed(feed, 'client_changed', () => this.load());
  }

  onModuleInit(): Promise<void> {
    return this.refresh();
  }

  /** Resolves when the cache is valid: at once, or after a read while the change feed is down (G-3). */
  current(): Promise<void> {
    return this.changes.current();
  }

  /** Also true for a client that never existed. Await `current()` first. */
  isDeactivated(clientId: string): boolean {
    return !this.active.has(clientId);
  }

  /**
   * The cached client, if active: own changes hold at once, others within two seconds (G-3). Undefined is inconclusive:
   * read the database.
   */
  followed(clientId: string): ActiveClient | undefined {
    return this.feed.isFollowing ? this.active.get(clientId) : undefined;
  }

  /** All that the client holds, which a token may narrow; undefined as `isDeactivated`. */
  holdings(clientId: string): Holdings | undefined {
    const client = this.active.get(clientId);
    if (client === undefined) return undefined;
    const { scopes } = client;
    const known = HOLDINGS.get(client) ?? { scopes, grants: grantsOf(scopes, () => undefined) };
    HOLDINGS.set(client, known);
    return known;
  }

  get ageMs(): number {
    return performance.now() - this.readAtMs;
  }

  /** Includes everything committed before the call. */
  refresh(): Promise<void> {
    return this.changes.refresh();
  }

  private async load(): Promise<void> {
    const startedAtMs = performance.now();
    const rows = await this.database.query<ActiveClient>(
      sql`select ${CLIENT_COLUMNS} from system_client where status = 'active'`,
    );
    this.readAtMs = startedAtMs;
    this.active = new Map(rows.map((client) => [client.clientId, client]));
  }
}
