import type { Reach } from '../../access/caller.js';
import type { Queryable } from '../../database/queryable.js';
import type { Uuid } from '../../domain/uuid.js';

/** Which records a subscription is sent: those that match its query, among those that its client's scopes admit. */
export interface Restriction {
  /** `hub.query` as it came: the clause tree of a search; null is every record. */
  readonly query: unknown;
  readonly reach: Reach;
  /** The client: what `declaredBy=user` and its like compare with. */
  readonly subject: string;
}

/** What search knows of records and queries. The module of events provides it, which this one must not know. */
export abstract class RecordFilter {
  /** Throws 400 with one issue per fault, each beginning with its path below `hub.query`. */
  abstract check(query: unknown): void;

  /**
   * For each restriction, the ids among `recordIds` of records that meet it, as the records stand within `transaction` at
   * `now`. A query that this release does not understand any more is met by none.
   */
  abstract matching(
    transaction: Queryable,
    recordIds: readonly Uuid[],
    restrictions: readonly Restriction[],
    now: Date,
  ): Promise<readonly ReadonlySet<Uuid>[]>;
}
