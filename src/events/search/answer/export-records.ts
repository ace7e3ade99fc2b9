import { MAY_IDLE } from '../../../platform/database/connection/session-settings.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { Connections, Transaction } from '../../../platform/database/pools/connections.js';
import { derivedSnapshot } from '../../index/derived-snapshot.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { CompiledExport } from '../statement/compile-export.js';
import { bodiesInParts, type ReadRow } from './stream-page.js';

export interface Exporting extends CompiledExport {
  /** Runs in the export's snapshot, with the ids of the first records. */
  readonly begun?: ((ids: readonly string[]) => Promise<void>) | undefined;
}

/**
 * Passes bodies to `take`, up to two hundred at a time, from one snapshot and in constant memory. Compiled in the
 * snapshot.
 */
export const exportRecords = (
  database: Connections,
  compile: (snapshot: Queryable) => Promise<Exporting>,
  take: (bodies: readonly string[]) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> =>
  derivedSnapshot(
    database,
    async (transaction) => {
      await transaction.query(MAY_IDLE);
      const { statement, shown, begun } = await compile(transaction);
      await transaction.query(sql`set local cursor_tuple_fraction = 1`);
      await transaction.query(sql`declare exported no scroll cursor for ${statement}`);
      let rows = await fetch(transaction);
      await begun?.(rows.map(({ id }) => id));
      for (; rows.length > 0; rows = await fetch(transaction)) {
        for await (const bodies of bodiesInParts(transaction, rows, shown)) await take(bodies);
      }
    },
    signal,
  );

const fetch = (transaction: Transaction): Promise<ReadRow[]> => transaction.query(FETCH);

// A count cannot be a parameter of FETCH. 200 of the longest records take little memory.
const FETCH = sql`fetch forward 200 from exported`;
