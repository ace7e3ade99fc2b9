import { randomUUID } from 'node:crypto';

import type { SessionLock } from '../database/connection/session-lock.js';
import type { Database } from '../database/pools/database.js';
import type { Queryable } from '../database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Sql } from '../../kernel/sql/sql.js';
import { sql } from '../../kernel/sql/sql.js';
import type { ClaimBounds, Due, PaceOf } from './choose-due.js';
import { chooseDue } from './choose-due.js';
import type { LeaseTerms } from './held-lease.js';
import { claimed, freedOfTheDead } from './leases.js';

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
