import { type Sql, sql } from '../../kernel/sql/sql.js';
import { equalInConstantTime } from '../secrets/equal-in-constant-time.js';

/** The hashes under which a client is known, as read from its row. */
export interface StoredSecrets {
  readonly secretHash: Buffer;
  /** The one before, which is good for `replacedForMs` after it was read (I-1); null: there is none. */
  readonly replacedSecretHash: Buffer | null;
  readonly replacedForMs: number | null;
}

/** They as columns of `system_client`, by the clock of the database. */
export const SECRETS_COLUMNS: Sql = sql`secret_hash as "secretHash",
  case when replaced_secret_until > now() then replaced_secret_hash end as "replacedSecretHash",
  (extract(epoch from replaced_secret_until - now()) * 1000)::float8 as "replacedForMs"`;

/** Compared if there is no client, or no replaced secret: the work stays the same, and nothing equals it. */
const NO_HASH = Buffer.alloc(32);

/** Whether the hash is one of the client's. Takes the same time whether there is a client or not. */
export function isSecretOf(client: StoredSecrets | undefined, hash: Buffer, readBeforeMs = 0): boolean {
  const replacedIsGood = (client?.replacedForMs ?? 0) > readBeforeMs;
  const isCurrent = equalInConstantTime(hash, client?.secretHash ?? NO_HASH);
  const isReplaced = equalInConstantTime(hash, (replacedIsGood ? client?.replacedSecretHash : undefined) ?? NO_HASH);
  return isCurrent || isReplaced;
}
