import { randomUUID } from 'node:crypto';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { LIVING_PROCESSES } from '../database/connection/advisory-locks.js';
import type { Queryable } from '../database/connection/queryable.js';
import type { SessionLock } from '../database/connection/session-lock.js';
import type { Database } from '../database/pools/database.js';

/** The last exchange begins with at least this left of the lease beyond its own deadline. */
const MARGIN_MS = 5_000;

/** How long leases of an outbox last, and when they must be confirmed. */
export interface LeaseTerms {
  readonly leaseMs: number;
  readonly timeoutMs: number;
  /** For how long a lease counts as valid after it was found to be; absent: until its end. */
  readonly confirmedForMs?: number;
}

/** Times are by `performance.now()`, from the beginning of the statement that claimed, renewed or confirmed. */
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

  /** The lease outlasts the exchange, and nobody else can have claimed the row meanwhile (W-8, W-16). */
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
const claimed = ({ token, seconds, holder }: Claim): Sql =>
  sql`claim_token = ${token}, claimed_until = now() + ${seconds} * interval '1 second',
             holder_token = ${token}, holder = ${holder}`;

/** The `set` of an update that releases a row. */
export const RELEASED = sql`claim_token = null, claimed_until = null`;

/**
 * Frees the leases of processes that have ended: their locks are released (W-16). When Postgres restarts, live
 * processes lose them too, and have a moment to take them again; `alone` skips this wait if no process other than
 * `holder` is alive. `key` is the primary key of `table`.
 */
const freedOfTheDead = (
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

/** An exchange that takes this long makes its addressee slow, until a shorter one ends. */
export const SLOW_MS = 1_000;

/**
 * How soon an addressee answers: `slow` if its latest exchange failed or took long, `unknown` before the first one.
 * Quick ones go first, and slow ones have a separate share, so that they delay only each other (W-9).
 */
export type Pace = 'quick' | 'unknown' | 'slow';

/** Slowest last. */
export const PACES: readonly Pace[] = ['quick', 'unknown', 'slow'];

/** Whether one of the exchanges that began then, by `performance.now()`, makes its addressee slow before it ends. */
export const isAnySlow = (beganMs: Iterable<{ readonly atMs: number }>): boolean => {
  const slowSinceMs = performance.now() - SLOW_MS;
  return [...beganMs].some(({ atMs }) => atMs <= slowSinceMs);
};

interface Known {
  latest: Pace;
  readonly beganMs: Set<{ readonly atMs: number }>;
}

/** How soon this process is answered, kind by kind; `nameOf` tells kinds apart. */
export class Paces<K> {
  private readonly known = new Map<string, Known>();

  constructor(private readonly nameOf: (kind: K) => string) {}

  of(kind: K): Pace {
    const known = this.known.get(this.nameOf(kind));
    if (known === undefined) return 'unknown';
    return isAnySlow(known.beganMs) ? 'slow' : known.latest;
  }

  /** Makes an exchange, and remembers how long it took. */
  async during<T>(kind: K, exchange: () => Promise<T>): Promise<T> {
    const name = this.nameOf(kind);
    const known = this.known.get(name) ?? { latest: 'unknown', beganMs: new Set() };
    this.known.set(name, known);
    const begun = { atMs: performance.now() };
    known.beganMs.add(begun);
    try {
      return await exchange();
    } finally {
      known.beganMs.delete(begun);
      known.latest = performance.now() - begun.atMs >= SLOW_MS ? 'slow' : 'quick';
    }
  }
}

/** How many rows of an outbox are claimed at a time. Slow ones have a separate share, so that others find a place. */
export interface ClaimBounds {
  readonly all: number;
  readonly ofPace: Readonly<Record<Pace, number>>;
  readonly ofAKind: Readonly<Record<Pace, number>>;
  /** By one look at what is due. */
  readonly atATime: number;
}

/** The number of rows of one kind that are claimed, and that are due. */
export interface Due {
  readonly claimed: number;
  /** In the order in which they became due. */
  readonly due: readonly Uuid[];
}

export type PaceOf<K> = (kind: K) => Pace;

/** Kinds share what is free, one at a time, quick ones first; whatever hangs holds its own share (W-9). */
export function chooseDue<K>(kinds: readonly (K & Due)[], paceOf: PaceOf<K>, bounds: ClaimBounds): readonly Uuid[] {
  const queues = kinds.map((kind) => ({ pace: paceOf(kind), claimed: kind.claimed, due: kind.due, next: 0 }));
  const claimedOf = (some: typeof queues): number => some.reduce((sum, { claimed }) => sum + claimed, 0);
  let free = Math.min(bounds.atATime, bounds.all - claimedOf(queues));
  const chosen: Uuid[] = [];
  for (const pace of PACES) {
    const alike = queues.filter((queue) => queue.pace === pace);
    let ofPace = bounds.ofPace[pace] - claimedOf(alike);
    for (let progress = true; progress;) {
      progress = false;
      for (const queue of alike) {
        const id = queue.due[queue.next];
        const isFull = free <= 0 || ofPace <= 0 || queue.claimed + queue.next >= bounds.ofAKind[pace];
        if (id === undefined || isFull) continue;
        chosen.push(id);
        queue.next += 1;
        free -= 1;
        ofPace -= 1;
        progress = true;
      }
    }
  }
  return chosen;
}

/** Bounds over all processes (E-15). A kind that was not answered within a second lately gets few. */
export const COUNTRY_BOUNDS: ClaimBounds = {
  all: 20,
  ofPace: { quick: 20, unknown: 20, slow: 10 },
  ofAKind: { quick: 15, unknown: 5, slow: 5 },
  atATime: 20,
};

/**
 * A lease lasts this much beyond the time-out of the exchange: until it has begun, and until its outcome is recorded.
 */
const BEYOND_TIMEOUT_SECONDS = 20;

/** The leases of what is posted to the country configuration. */
export const countryTerms = (timeoutSeconds: number): LeaseTerms => ({
  timeoutMs: Math.ceil(timeoutSeconds) * 1_000,
  leaseMs: (Math.ceil(timeoutSeconds) + BEYOND_TIMEOUT_SECONDS) * 1_000,
});

/** The table that leases are on, and how many there are at a time. */
interface ClaimedTable {
  readonly table: Sql;
  readonly key: Sql;
  /** The advisory lock under which one process at a time claims, where the bounds are those of all processes. */
  readonly lock?: Sql;
  readonly bounds: ClaimBounds;
  readonly terms: LeaseTerms;
}

/** The chosen rows, as a table `chosen (id, token)`, and what an `update … set` of them sets. */
export interface Chosen {
  readonly rows: Sql;
  readonly lease: Sql;
}

/** Which process does what of an outbox: a lease says so, and all times are the database's (W-8, W-16). */
export abstract class RowClaims<Kind, Claimed> {
  constructor(
    protected readonly database: Database,
    private readonly lock: SessionLock,
    private readonly claimedTable: ClaimedTable,
  ) {}

  get bounds(): ClaimBounds {
    return this.claimedTable.bounds;
  }

  get terms(): LeaseTerms {
    return this.claimedTable.terms;
  }

  protected abstract dueOf(database: Queryable): Promise<readonly (Kind & Due)[]>;

  /** The statement that claims the chosen rows and returns what a `Claimed` consists of. */
  protected abstract claiming(chosen: Chosen): Sql;

  /** Claims what is due, within the bounds. */
  claim(paceOf: PaceOf<Kind>): Promise<readonly Claimed[]> {
    const { lock } = this.claimedTable;
    if (lock === undefined) return this.claimIn(this.database, paceOf);
    return this.database.transaction(async (transaction) => {
      // Together with the commit: who counts what is claimed sees what everybody before has claimed.
      await transaction.query(sql`select pg_advisory_xact_lock(${lock})`);
      return this.claimIn(transaction, paceOf);
    });
  }

  /** Frees the claims of processes that have ended (W-16): see `freedOfTheDead`. */
  async freeOfTheDead(alone: boolean): Promise<void> {
    await this.database.query(freedOfTheDead(this.claimedTable, { holder: this.lock.key, alone }));
  }

  private async claimIn(database: Queryable, paceOf: PaceOf<Kind>): Promise<readonly Claimed[]> {
    const chosen = chooseDue(await this.dueOf(database), paceOf, this.bounds);
    return chosen.length === 0 ? [] : database.query<Claimed>(this.claiming(this.leased(chosen)));
  }

  private leased(ids: readonly Uuid[]): Chosen {
    const tokens = ids.map(() => randomUUID());
    return {
      rows: sql`unnest(${ids}::uuid[], ${tokens}::uuid[]) as chosen (id, token)`,
      lease: claimed({ token: sql`chosen.token`, seconds: this.terms.leaseMs / 1_000, holder: this.lock.key }),
    };
  }
}
