import { REQUIRE_DERIVED_VERSION } from '../database/derived-version.js';
import type { Connections, Transaction } from '../database/pools/connections.js';
import { sql } from '../sql/sql.js';

/**
 * `snapshot` for what reads derived rows by more than one statement. A reindex may put new tables in the place of the old
 * ones between any two of them, and to a snapshot that is older than their rows those would be missing: the tables are
 * held before the snapshot is taken, and it sees either the old ones or all of the new ones. Fails when they are of another
 * version than this process reads.
 */
export const derivedSnapshot = <T>(
  database: Pick<Connections, 'snapshot'>,
  work: (transaction: Transaction) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => database.snapshot(work, signal, HOLD);

const HOLD = sql`lock table event_search, event_document in access share mode; select ${REQUIRE_DERIVED_VERSION}`;
