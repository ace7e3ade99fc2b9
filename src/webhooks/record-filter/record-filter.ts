import type { RowFilter } from '../../access/caller.js';
import type { EventRecord } from '../../domain/record/event-record.js';
import type { Requirement } from '../../search/evaluate/requirement.js';

/** Which records a subscription is sent: those that match its query, among those that its client's scopes admit. */
export interface Restriction {
  /** `hub.query` as it came: the clause tree of a search; null is every record. */
  readonly query: unknown;
  readonly rowFilter: RowFilter;
  /** The client: what `declaredBy=user` and its like compare with. */
  readonly subject: string;
}

/** A record as a change leaves it. What is made of it for one restriction is kept for the next. */
export interface FilteredRecord {
  readonly record: EventRecord;
  /** Who notified it, which scopes ask for; undefined when nobody did. */
  readonly notifiedBy: string | undefined;
  /** The time of the transaction. */
  readonly now: Date;
}

/** Whether a record meets a restriction that was read. It neither waits nor asks the database. */
export type RecordTest = (filtered: FilteredRecord) => boolean;

/** A restriction that was read. */
export interface ReadRestriction {
  readonly test: RecordTest;
  /** What a record that meets it bears; undefined when that cannot be told, and every record must be tried. */
  readonly requirement: Requirement | undefined;
}

/** What search knows of records and queries. The module of events provides it, which this one must not know. */
export abstract class RecordFilter {
  /**
   * Throws 400 with one issue per fault, each beginning with its path below `hub.query`; for a query that is too dear
   * too.
   */
  abstract check(query: unknown): void;

  /** Done when tests may be tried: what they rest on in memory is as it stands. */
  abstract ready(): Promise<void>;

  /**
   * Reads a restriction, to be tried on any number of records. A query that this release does not understand any more
   * is met by none.
   */
  abstract read(restriction: Restriction): ReadRestriction;

  /**
   * The marks that a record bears, of those aspects that are asked for; a mark may come several times. It bears one of those
   * that the requirement of each restriction names which it meets.
   */
  abstract marksOf(filtered: FilteredRecord, isAsked: (aspect: number) => boolean): Iterable<number>;
}
