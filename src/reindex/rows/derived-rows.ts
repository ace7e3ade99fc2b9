import type { StatementText } from '../../sql/binary-params.js';
import type { EventRow } from '../event-batches.js';

/** What writing the rows of some events takes. Plain data: threads exchange it. */
export interface DerivedRows {
  /** Inserts them into the new tables. */
  readonly rows: StatementText | undefined;
  /** Inserts the part of the vocabulary that may be new, but for its terms. */
  readonly vocabulary: StatementText | undefined;
  /** Its terms, for `writePreparedTerms`. */
  readonly terms: StatementText | undefined;
}

/** Rows that are ready to be written. */
export interface PreparedRows extends DerivedRows {
  /** To be called when their vocabulary is committed: it need not be written again. */
  readonly written: () => void;
}

/** Derives the rows of batches of events, in their order. */
export interface RowSource {
  /** Any number may be under way. Fails, naming the event, if one cannot be read. */
  of(events: readonly EventRow[]): Promise<PreparedRows>;
}
