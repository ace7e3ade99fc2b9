import { REQUIRE_DERIVED_VERSION } from '../../platform/database/connection/derived-version.js';
import type { Connections, Transaction } from '../../platform/database/pools/connections.js';
import { sql } from '../../kernel/sql/sql.js';

/**
 * `snapshot` for reading derived rows by more than one statement. A reindex may swap in new tables between any two of
 * them, and their rows would be invisible to an older snapshot: the tables are locked before the snapshot is taken, so
 * that it sees either the old ones or all of the new ones. Fails if they have a different version from the one that
 * this process reads.
 */
export const derivedSnapshot = <T>(
  database: Pick<Connections, 'snapshot'>,
  work: (transaction: Transaction) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => database.snapshot(work, signal, HOLD);

const HOLD = sql`lock table event_search, event_document in access share mode; select ${REQUIRE_DERIVED_VERSION}`;
