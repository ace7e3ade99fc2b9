import type { RowFilter } from '../../kernel/domain/scopes/caller.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';

/** The records that a subscription is sent: those that match its query, among those that its client's scopes admit. */
export interface Restriction {
  /** `hub.query` as received: the clause tree of a search; null means every record. */
  readonly query: unknown;
  readonly rowFilter: RowFilter;
  /** The records whose secured fields the client may learn (E-10). */
  readonly readable: RowFilter;
  /** Whom the log names. */
  readonly client: string;
}

/** A record after a change. Results for one restriction are kept for the next. */
export interface FilteredRecord {
  readonly record: EventRecord;
  /** Who notified it, which scopes ask for; undefined if nobody did. */
  readonly notifiedBy: string | undefined;
  /** The time of the transaction. */
  readonly now: Date;
}

/** Whether a record meets a parsed restriction. It neither waits nor queries the database. */
export type RecordTest = (filtered: FilteredRecord) => boolean;

/** What search knows about records and queries. The events module provides it; this module must not import that one. */
export abstract class RecordFilter {
  /**
   * Throws 400 with one issue per fault, each beginning with its path below `hub.query`; also for a query that costs
   * too much. Throws 403 for a query on secured fields if the client may read no record (E-10).
   */
  abstract check(query: unknown, readable: RowFilter): void;

  /** Resolves when tests may run: the memory they depend on is up to date. */
  abstract ready(): Promise<void>;

  /**
   * Parses a restriction, to be checked on any number of records. If this release no longer understands its query, no
   * record meets it.
   */
  abstract testOf(restriction: Restriction): RecordTest;

  /** The record as the client may see it: itself, or the same one for all clients without its secured fields (E-10). */
  abstract shown(filtered: FilteredRecord, readable: RowFilter): EventRecord;
}
