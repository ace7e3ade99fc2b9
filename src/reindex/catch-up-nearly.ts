import { isSqlError } from '../errors/sql-state.js';
import { catchUp } from './catch-up.js';
import type { NotedChanges } from './noted-changes.js';
import type { ReindexSession } from './reindex-session.js';
import type { RowWriter } from './rows/row-writer.js';

/** What deriving the noted changes takes. */
export interface NearCatchUp {
  readonly session: ReindexSession;
  readonly changes: NotedChanges;
  readonly writer: RowWriter;
  /** Called before each round with the number of changes left. */
  readonly onLeft: (changes: number) => void;
}

/** So few changes can be derived while writers wait. */
const FEW_CHANGES = 200;
/** A long snapshot keeps vacuum from its work. */
const ROUND_MS = 30_000;
/** A shorter round loses less when it is overtaken, and is overtaken less often. */
const SHORTEST_ROUND_MS = 1_000;

/** An event was deleted while its derived rows were being written: the whole round is taken back. */
const isOvertaken = (error: unknown): boolean => isSqlError(error, 'serializationFailure', 'foreignKeyViolation');

/**
 * Derives noted changes until few are left, or no fewer than before: then writers are faster, and must be kept out. A
 * run that goes on with an earlier one can have a great many: all that was written in between.
 */
export async function catchUpNearly({ session, changes, writer, onLeft }: NearCatchUp): Promise<void> {
  for (let before = Infinity, roundMs = ROUND_MS; ;) {
    const left = await changes.count();
    if (left <= FEW_CHANGES || left >= before) return;
    before = left;
    onLeft(left);
    try {
      await session.snapshot(() => catchUp(session, writer, performance.now() + roundMs));
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      if (roundMs > SHORTEST_ROUND_MS) before = Infinity;
      roundMs = Math.max(SHORTEST_ROUND_MS, roundMs / 4);
    }
  }
}
