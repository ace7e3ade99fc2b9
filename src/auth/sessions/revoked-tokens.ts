import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql, type Sql } from '../../kernel/sql/sql.js';
import { ChangeFeed, Followed } from '../../platform/database/connection/change-feed.js';
import { Primary } from '../../platform/database/connection/primary.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';

const SWEEP_MS = 60_000;
/** Per subject, to bound table and memory. */
const MOST_OF_ONE = 1_000;
/** Total beyond which the limit per subject shrinks. */
const MANY = 100_000;
const FEW_OF_ONE = 10;

interface RevocableClaims {
  readonly tokenId?: Uuid | undefined;
  readonly sid?: Uuid | undefined;
}

interface Row {
  /** Repeated in each row with `now`; if nothing is new, the other columns are null. */
  readonly snapshot: string;
  /** By the database's clock. */
  readonly now: Date;
  readonly id: string | null;
  readonly expiresAt: Date | null;
}

/**
 * Caches revoked access tokens by `jti` and ended sessions by `sid` until expiry, about 150 bytes each; propagated
 * within two seconds (G-3). Logins bound the sessions, `mostOfOne` the tokens.
 */
@Injectable()
export class RevokedTokens extends Followed implements OnModuleInit {
  private readonly until = new Map<string, number>();
  /** Snapshot of the last reading; undefined: read everything. */
  private seen: string | undefined;
  private serversMet = 0;
  private sweptAtMs = 0;

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    feed: ChangeFeed,
    primary: Primary,
  ) {
    super(feed, 'token_revoked');
    // After a failover, transaction numbers may repeat.
    primary.onNewServer(() => {
      this.seen = undefined;
      this.serversMet += 1;
    });
  }

  onModuleInit(): Promise<void> {
    return this.refresh();
  }

  /** Await `current()` before. */
  isRevoked({ tokenId, sid }: RevocableClaims): boolean {
    return this.until.size > 0 && (this.has(tokenId) || this.has(sid));
  }

  get size(): number {
    return this.until.size;
  }

  /** Lower when many are known. */
  get mostOfOne(): number {
    return this.until.size < MANY ? MOST_OF_ONE : FEW_OF_ONE;
  }

  private has(id: Uuid | undefined): boolean {
    return id !== undefined && this.until.has(id);
  }

  /** Reads the rows that the last snapshot did not show: long transactions cost more, none is read twice. */
  protected async load(): Promise<void> {
    const { seen, serversMet } = this;
    const isNew =
      seen === undefined
        ? sql`true`
        : sql`r.txid >= pg_snapshot_xmin(${seen}::pg_snapshot) and not pg_visible_in_snapshot(r.txid, ${seen}::pg_snapshot)`;
    const rows = await this.database.query<Row>(
      sql`select s.snapshot, s.now, r.id, r.expires_at as "expiresAt"
          from (select pg_current_snapshot()::text as snapshot, now()) s
          left join revoked_token r on r.expires_at > now() and ${isNew}`,
    );
    for (const { id, expiresAt } of rows) {
      if (id !== null && expiresAt !== null) this.until.set(id, expiresAt.getTime());
    }
    if (this.serversMet === serversMet) this.seen = rows[0]?.snapshot;
    // A clock that is temporarily ahead must not drop entries early, since none is read twice.
    this.sweep(Math.min(Date.now(), rows[0]?.now.getTime() ?? 0));
  }

  private sweep(nowMs: number): void {
    if (nowMs - this.sweptAtMs < SWEEP_MS) return;
    this.sweptAtMs = nowMs;
    for (const [id, untilMs] of this.until) if (untilMs <= nowMs) this.until.delete(id);
  }
}

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
  readonly subject: string;
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
