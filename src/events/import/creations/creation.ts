import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { Issue } from '../../../kernel/errors/service-error.js';
import type { NdjsonLine } from '../../../kernel/input/ndjson-lines.js';
import type { StatementText } from '../../../kernel/sql/binary-params.js';

/** A line as it is sent to where it is derived. */
export type SentLine = Pick<NdjsonLine, 'number' | 'text' | 'fault'>;

/** A line that is rejected, by its place in the batch. */
export interface RejectedAt {
  readonly at: number;
  readonly id: string | undefined;
  readonly issues: readonly Issue[];
}

/** Everything that writing a batch of lines takes if no event of them exists yet. Plain data: threads exchange it. */
export interface Creation {
  /** Of the events, in no order. */
  readonly ids: readonly Uuid[];
  readonly rejected: readonly RejectedAt[];
  /** Undefined if there is no event, or one occurs twice: then lines are written one behind the other. */
  readonly statement: StatementText | undefined;
  /** The terms of its vocabulary, for `writePreparedTerms`. */
  readonly terms: StatementText | undefined;
  /** The files that events name, if any. */
  readonly files: readonly { readonly eventId: Uuid; readonly paths: readonly string[] }[];
}

/** Makes the creations of batches. */
export interface Creations {
  /** Any number may be under way; each must be answered by `written` or `discarded`. */
  of(lines: readonly NdjsonLine[]): Promise<PreparedCreation>;
  close(): Promise<void>;
}

/** The creations of one batch, ready to be written. */
export interface PreparedCreation extends Creation {
  /** To be called when it is committed: its vocabulary need not be written again. */
  written(): void;
  /** To be called when it will not be. */
  discarded(): void;
}
