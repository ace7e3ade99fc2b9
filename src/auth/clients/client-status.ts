import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Holdings } from '../../kernel/domain/scopes/caller.js';
import { grantsOf } from '../access/scope-permissions.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Followed } from '../../platform/database/connection/followed.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/control-database.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { ClientKey } from './client-keys.js';
import { SECRETS_COLUMNS, type StoredSecrets } from './client-secrets.js';

/** The part of an active client that is needed for its tokens. */
export interface ActiveClient extends StoredSecrets {
  readonly clientId: Uuid;
  readonly scopes: readonly string[];
  /** With which it signs its assertions; null: none is registered. */
  readonly keys: readonly ClientKey[] | null;
}

/** It as columns of `system_client`. */
export const CLIENT_COLUMNS: Sql = sql`client_id as "clientId", scopes, jwks->'keys' as keys, ${SECRETS_COLUMNS}`;

/** Read once for each client that is followed, when it is first asked for. */
const HOLDINGS = new WeakMap<ActiveClient, Holdings>();

/** Announces a change of a client, in its transaction. After its commit, this process heeds `client_changed`. */
export const ANNOUNCE_CLIENTS: Sql = sql`select pg_notify('client_changed', '')`;

/** Which system clients are active, in memory and kept up to date, so that a token can be refused at once (G-3). */
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

  /**
   * Resolves when the known status is valid: at once, or after asking the database while changes are not heard (G-3).
   */
  current(): Promise<void> {
    return this.changes.current();
  }

  /**
   * Whether a token of this system client is refused: the client was deactivated, or never existed. Await `current()`
   * first.
   */
  isDeactivated(clientId: string): boolean {
    return !this.active.has(clientId);
  }

  /**
   * The client, if it is active: changes by this process hold at once, those by others within two seconds (G-3).
   * Undefined is not conclusive: the client may be new, or changes may not be heard; look it up in the database.
   */
  followed(clientId: string): ActiveClient | undefined {
    return this.feed.isFollowing ? this.active.get(clientId) : undefined;
  }

  /** All that a client holds, which a token of it may have less of; undefined as `isDeactivated`. */
  holdings(clientId: string): Holdings | undefined {
    const client = this.active.get(clientId);
    if (client === undefined) return undefined;
    const { scopes } = client;
    const known = HOLDINGS.get(client) ?? { scopes, grants: grantsOf(scopes, () => undefined) };
    HOLDINGS.set(client, known);
    return known;
  }

  /** How long ago the followed clients were read, at most. */
  get ageMs(): number {
    return performance.now() - this.readAtMs;
  }

  /** Reads again who is active; it includes everything committed before the call. */
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
