import { type Sql, sql } from '../../kernel/sql/sql.js';
import { LIVING_PROCESSES } from '../database/connection/advisory-locks.js';

/** The last exchange begins with at least this left of the lease beyond its own deadline. */
const MARGIN_MS = 5_000;

/** How long leases of an outbox last, and when they must be confirmed. */
export interface LeaseTerms {
  readonly leaseMs: number;
  /** The deadline of an exchange. */
  readonly timeoutMs: number;
  /** For how long a lease counts as valid after it was found to be; absent: until its end. */
  readonly confirmedForMs?: number;
}

/**
 * A lease that this process holds. Its times are by `performance.now()`, and count from the beginning of the statement
 * that claimed, renewed or confirmed it.
 */
export class HeldLease {
  private renewedMs: number;
  private confirmedMs: number;
  private renewAfterMs = Infinity;
  private isRevoked = false;
  /** For how long after its renewal the lease outlasts an exchange. */
  private readonly usableMs: number;

  /** `isHolding`: whether the process still holds what it held at that time (W-16), and has not been stopped. */
  constructor(
    claimedMs: number,
    private readonly terms: LeaseTerms,
    private readonly isHolding: (sinceMs: number) => boolean,
  ) {
    this.usableMs = terms.leaseMs - terms.timeoutMs - MARGIN_MS;
    this.renewedMs = this.confirmedMs = claimedMs;
    this.renewed(claimedMs);
  }

  /**
   * Whether an exchange may begin: the lease outlasts it, and nobody else can have claimed the row meanwhile, because
   * the lock was lost (W-16) or the process has hung (W-8).
   */
  get isWanted(): boolean {
    const nowMs = performance.now();
    const { confirmedForMs = Infinity } = this.terms;
    return (
      !this.isRevoked &&
      nowMs <= this.renewedMs + this.usableMs &&
      nowMs < this.confirmedMs + confirmedForMs &&
      this.isHolding(this.confirmedMs)
    );
  }

  /** Whether it is time to renew it. Not for all leases at once: a part of the wait is random. */
  get isDueForRenewal(): boolean {
    return performance.now() > this.renewedMs + this.renewAfterMs;
  }

  renewed(atMs: number): void {
    this.renewedMs = atMs;
    this.renewAfterMs = (this.usableMs * (1 + Math.random())) / 3;
    this.confirmed(atMs);
  }

  confirmed(atMs: number): void {
    this.confirmedMs = Math.max(this.confirmedMs, atMs);
  }

  /** Nothing begins under it any more. */
  revoke(): void {
    this.isRevoked = true;
  }
}

/** After a restart of Postgres, a process that delivered meanwhile records it before anybody delivers again. */
const GRACE_SECONDS = 3;

const GRACE_OVER = sql`pg_postmaster_start_time() + ${GRACE_SECONDS} * interval '1 second'`;

/** The process that claims, and for how long. */
interface Claim {
  /** An expression for the token of the claim. */
  readonly token: Sql;
  readonly seconds: number;
  /** The key of the lock of the process (`SessionLock`). */
  readonly holder: number;
}

/**
 * Leases are columns of the rows that are claimed (W-8): `claim_token` and `claimed_until` say who holds a row now, and
 * until when unless it says so again; `holder` and `holder_token` say which process made the claim of that token, so
 * that the lease ends with it (W-16). This condition holds for a row that nobody holds.
 */
export const isFree = (row: Sql): Sql =>
  sql`(${row}.claim_token is null or greatest(${row}.claimed_until, ${GRACE_OVER}) <= now())`;

/** The `set` of an update that claims a row. */
export const claimed = ({ token, seconds, holder }: Claim): Sql =>
  sql`claim_token = ${token}, claimed_until = now() + ${seconds} * interval '1 second',
             holder_token = ${token}, holder = ${holder}`;

/** The `set` of an update that releases a row. */
export const RELEASED = sql`claim_token = null, claimed_until = null`;

/**
 * Frees the leases of processes that have ended: their locks are released (W-16). When Postgres restarts, live
 * processes lose them too, and have a moment to take them again; `alone` skips this wait if no process other than
 * `holder` is alive. `key` is the primary key of `table`.
 */
export const freedOfTheDead = (
  { table, key }: { readonly table: Sql; readonly key: Sql },
  { holder, alone }: { readonly holder: number; readonly alone: boolean },
): Sql => sql`
  with living as materialized (
    select objid::bigint as key from pg_locks
     where locktype = 'advisory' and classid::bigint = ${LIVING_PROCESSES} and objsubid = 2 and granted
       and database = (select oid from pg_database where datname = current_database())
  ), dead as materialized (
    select ${key} as id, claim_token as token from ${table}
     where claim_token = holder_token and holder not in (select key from living)
       and (${GRACE_OVER} <= now()
         or ${alone}::boolean and not exists (select from living where key <> ${holder}))
  )
  update ${table} s set ${RELEASED}
    from dead where s.${key} = dead.id and s.claim_token = dead.token`;
