import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Clock difference; revocations are kept that much longer. */
const MARGIN_SECONDS = 60;

const ANNOUNCE = sql`select pg_notify('token_revoked', '')`;

export interface EndedFamily {
  readonly familyId: Uuid;
  readonly userId: Uuid;
  readonly wasLiving: boolean;
}

/** Deletes families `f` selected by `where`, and revokes their access tokens. */
export async function endFamilies(transaction: Queryable, where: Sql): Promise<readonly EndedFamily[]> {
  const ended = await transaction.query<EndedFamily>(sql`
    with ended as (delete from session_family f where ${where} returning f.family_id, f.user_id, f.token_seconds, f.expires_at),
    revoked as (
      insert into revoked_token (id, expires_at)
      select family_id, clock_timestamp() + make_interval(secs => token_seconds + ${MARGIN_SECONDS}) from ended
      on conflict (id) do nothing
    )
    select family_id as "familyId", user_id as "userId", expires_at > clock_timestamp() as "wasLiving" from ended`);
  if (ended.length > 0) await transaction.query(ANNOUNCE);
  return ended;
}

export interface RevokedToken {
  readonly jti: Uuid;
  /** `sub`. */
  readonly subject: string;
  /** `exp`. */
  readonly expiresAtSeconds: number;
  /** Process time, which may lag: the token is good here until it reaches `exp`. */
  readonly now: Date;
}

/** False: the subject has reached `mostOfOne`; try again after some expire. */
export async function revokeToken(
  transaction: Queryable,
  { jti, subject, expiresAtSeconds, now }: RevokedToken,
  mostOfOne: number,
): Promise<boolean> {
  const leftSeconds = expiresAtSeconds - now.getTime() / 1_000 + MARGIN_SECONDS;
  // Index entries are bounded; client ids are shorter.
  const owner = subject.slice(0, 100);
  const [outcome] = await transaction.query<{ isAdmitted: boolean }>(sql`
    with counted as (
      select count(*) < ${mostOfOne} as admitted
      from (select from revoked_token where subject = ${owner} and expires_at > now() limit ${mostOfOne}) living
    ),
    added as (
      insert into revoked_token (id, subject, expires_at)
      select ${jti}::uuid, ${owner},
             greatest(to_timestamp(${expiresAtSeconds + MARGIN_SECONDS}),
                      clock_timestamp() + make_interval(secs => ${leftSeconds}))
      from counted where admitted
      on conflict (id) do nothing
    )
    select admitted as "isAdmitted" from counted`);
  if (outcome?.isAdmitted === true) await transaction.query(ANNOUNCE);
  return outcome?.isAdmitted === true;
}
