import { type Sql, sql } from '../../kernel/sql/sql.js';
import { equalInConstantTime } from '../secrets/equal-in-constant-time.js';

/** Hashes of a client's secrets. */
export interface StoredSecrets {
  readonly secretHash: Buffer;
  /** The previous one, good for `replacedForMs` after it was read (I-1); null if none. */
  readonly replacedSecretHash: Buffer | null;
  readonly replacedForMs: number | null;
}

/** Columns of `system_client`, by the database's clock. */
export const SECRETS_COLUMNS: Sql = sql`secret_hash as "secretHash",
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
