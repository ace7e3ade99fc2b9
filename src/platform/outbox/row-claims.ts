import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../config/config.js';
import { SessionLock } from '../database/connection/session-lock.js';
import { Database } from '../database/pools/database.js';
import type { Queryable } from '../database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { chooseDue, type Due, type PaceOf } from './choose-due.js';
import { claimed, freedOfTheDead } from './leases.js';

/** What a lease lasts beyond the time-out of the exchange: until it has begun, and until its outcome is recorded. */
const MARGIN_SECONDS = 20;
const BEGUN_WITHIN_SECONDS = 15;

/** An outbox whose rows are claimed one by one. */
interface RowOutbox {
  readonly table: Sql;
  /** Its primary key. */
  readonly key: Sql;
  /** The advisory lock under which one process at a time claims. */
  readonly lock: Sql;
}

/** The chosen rows, as a table `chosen (id, token)`, and what an `update … set` of them sets. */
export interface Chosen {
  readonly rows: Sql;
  readonly lease: Sql;
}

/**
 * Which process does what of an outbox that is posted to the country configuration: as in the outbox of webhooks, a
 * lease says so, and all times are the database's (W-8, W-16).
 */
@Injectable()
export abstract class RowClaims<Kind, Claimed> {
  protected abstract readonly outbox: RowOutbox;
  private readonly leaseSeconds: number;

  constructor(
    private readonly database: Database,
    private readonly lock: SessionLock,
    @Inject(CONFIG) { CONFIRMATION_TIMEOUT_SECONDS }: Pick<Config, 'CONFIRMATION_TIMEOUT_SECONDS'>,
  ) {
    this.leaseSeconds = Math.ceil(CONFIRMATION_TIMEOUT_SECONDS) + MARGIN_SECONDS;
  }

  /** What is claimed and what is due, kind by kind. */
  protected abstract dueOf(transaction: Queryable): Promise<readonly (Kind & Due)[]>;

  /** The statement that claims the chosen rows and returns what a `Claimed` consists of. */
  protected abstract claiming(chosen: Chosen): Sql;

  /** Claims what is due, within the limits over all processes. */
  claim(paceOf: PaceOf<Kind>): Promise<readonly Claimed[]> {
    return this.database.transaction(async (transaction) => {
      // Together with the commit: who counts what is claimed sees what everybody before has claimed.
      await transaction.query(sql`select pg_advisory_xact_lock(${this.outbox.lock})`);
      const chosen = chooseDue(await this.dueOf(transaction), paceOf);
      return chosen.length === 0 ? [] : transaction.query<Claimed>(this.claiming(this.leased(chosen)));
    });
  }

  /** Whether what was claimed then, by `performance.now()`, may still be posted: the lease outlasts the exchange. */
  isFresh(claimedMs: number): boolean {
    return performance.now() - claimedMs <= BEGUN_WITHIN_SECONDS * 1_000;
  }

  /** Frees the claims of processes that have ended (W-16): see `freedOfTheDead`. */
  async freeOfTheDead(alone: boolean): Promise<void> {
    await this.database.query(freedOfTheDead(this.outbox, { holder: this.lock.key, alone }));
  }

  private leased(ids: readonly Uuid[]): Chosen {
    const tokens = ids.map(() => randomUUID());
    return {
      rows: sql`unnest(${ids}::uuid[], ${tokens}::uuid[]) as chosen (id, token)`,
      lease: claimed({ token: sql`chosen.token`, seconds: this.leaseSeconds, holder: this.lock.key }),
    };
  }
}
