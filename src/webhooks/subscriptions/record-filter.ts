import type { RowFilter } from '../../kernel/domain/scopes/caller.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';

/** Records must match the query and the client's scopes. */
export interface Restriction {
  /** `hub.query` as received; null means every record. */
  readonly query: unknown;
  readonly rowFilter: RowFilter;
  /** The records whose secured fields the client may learn (E-10). */
  readonly readable: RowFilter;
  readonly client: string;
}

/** After a change. Results for one restriction are memoized for the next. */
export interface FilteredRecord {
  readonly record: EventRecord;
  /** Scopes ask for it; undefined if nobody did. */
  readonly notifiedBy: string | undefined;
  /** The time of the transaction. */
  readonly now: Date;
}

/** Neither waits nor queries the database. */
export type RecordTest = (filtered: FilteredRecord) => boolean;

/** The events module provides it: this module must not import that one. */
export abstract class RecordFilter {
  /**
   * Throws 400 with one issue per fault, with paths below `hub.query`, also for excessive cost. Throws 403 for
   * secured fields if the client may read no record (E-10).
   */
  abstract check(query: unknown, readable: RowFilter): void;

  /** Resolves when the caches of tests are up to date. */
  abstract ready(): Promise<void>;

  /** If this release does not understand the query, no record matches. */
  abstract testOf(restriction: Restriction): RecordTest;

  /** Without secured fields (E-10); one object for all clients. */
  abstract shown(filtered: FilteredRecord, readable: RowFilter): EventRecord;
}
