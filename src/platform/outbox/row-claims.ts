import { randomUUID } from 'node:crypto';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../database/connection/queryable.js';
import type { SessionLock } from '../database/connection/session-lock.js';
import type { Database } from '../database/pools/database.js';
import { claimed, freedOfTheDead, type LeaseTerms } from './leases.js';
import { type Pace, PACES } from './pace.js';

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

/** How soon the exchanges of a kind are answered. */
export type PaceOf<K> = (kind: K) => Pace;

/**
 * Which of those that are due to claim. Kinds share what is free, one at a time, quick ones first;
 * whatever hangs holds its own share (W-9).
 */
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
  /** Its primary key. */
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

  /** Claimed and due rows by kind. */
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
