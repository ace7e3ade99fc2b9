import { REQUIRE_DERIVED_VERSION } from '../../platform/database/connection/derived-version.js';
import type { Connections, Transaction } from '../../platform/database/pools/connections.js';
import { sql } from '../../kernel/sql/sql.js';

/**
 * A `snapshot` for several statements. Tables are locked first: rows of tables swapped in later would be invisible.
 * Fails if their version differs from this process's.
 */
export const derivedSnapshot = <T>(
  database: Pick<Connections, 'snapshot'>,
  work: (transaction: Transaction) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => database.snapshot(work, signal, HOLD);

const HOLD = sql`lock table event_search, event_document in access share mode; select ${REQUIRE_DERIVED_VERSION}`;
