import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Holdings } from '../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { ChangeFeed, Followed } from '../../platform/database/connection/change-feed.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import { grantsOf } from '../access/scope-permissions.js';
import { equalInConstantTime } from '../secrets/secrets-box.js';
import type { ClientKey } from './client-keys.js';

export interface StoredSecrets {
  readonly secretHash: Buffer;
  /** The previous one, good for `replacedForMs` after it was read (I-1); null if none. */
  readonly replacedSecretHash: Buffer | null;
  readonly replacedForMs: number | null;
}

/** Columns of `system_client`, by the database's clock. */
const SECRETS_COLUMNS: Sql = sql`secret_hash as "secretHash",
  case when replaced_secret_until > now() then replaced_secret_hash end as "replacedSecretHash",
  (extract(epoch from replaced_secret_until - now()) * 1000)::float8 as "replacedForMs"`;

/** Compared where there is no secret, to keep the time equal; nothing matches it. */
const NO_HASH = Buffer.alloc(32);

/** Takes the same time without a client. */
export function isSecretOf(client: StoredSecrets | undefined, hash: Buffer, readBeforeMs = 0): boolean {
  const replacedIsGood = (client?.replacedForMs ?? 0) > readBeforeMs;
  const isCurrent = equalInConstantTime(hash, client?.secretHash ?? NO_HASH);
  const isReplaced = equalInConstantTime(hash, (replacedIsGood ? client?.replacedSecretHash : undefined) ?? NO_HASH);
  return isCurrent || isReplaced;
}

export interface ActiveClient extends StoredSecrets {
  readonly clientId: Uuid;
  readonly scopes: readonly string[];
  /** For assertions; null if none is registered. */
  readonly keys: readonly ClientKey[] | null;
}

const CLIENT_COLUMNS: Sql = sql`client_id as "clientId", scopes, jwks->'keys' as keys, ${SECRETS_COLUMNS}`;

const HOLDINGS = new WeakMap<ActiveClient, Holdings>();

/** Notifies in the transaction. After the commit, this process heeds `client_changed`. */
export const ANNOUNCE_CLIENTS: Sql = sql`select pg_notify('client_changed', '')`;

/** Caches active system clients, to refuse tokens at once (G-3). */
@Injectable()
export class ClientStatus extends Followed implements OnModuleInit {
  private active: ReadonlyMap<string, ActiveClient> = new Map();
  private readAtMs = 0;

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    feed: ChangeFeed,
  ) {
    super(feed, 'client_changed');
  }

  onModuleInit(): Promise<void> {
    return this.refresh();
  }

  /** Also true for a client that never existed. Await `current()` first. */
  isDeactivated(clientId: string): boolean {
    return !this.active.has(clientId);
  }

  /** The cached client, if active. Undefined is inconclusive: read the database. */
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

  protected async load(): Promise<void> {
    const startedAtMs = performance.now();
    const rows = await this.database.query<ActiveClient>(
      sql`select ${CLIENT_COLUMNS} from system_client where status = 'active'`,
    );
    this.readAtMs = startedAtMs;
    this.active = new Map(rows.map((client) => [client.clientId, client]));
  }
}

export interface StoredClient extends ActiveClient {
  readonly active: boolean;
}

/** Looked up for an invalid id, to keep the work equal. */
export const NO_CLIENT = '00000000-0000-0000-0000-000000000000';

/** Undefined if it never existed. */
export async function storedClient(database: Connections, clientId: string): Promise<StoredClient | undefined> {
  const [client] = await database.query<StoredClient>(
    sql`select ${CLIENT_COLUMNS}, status = 'active' as active from system_client where client_id = ${clientId}`,
  );
  return client;
}
