import type { Connections, Transaction } from '../../database/pools/connections.js';
import { derivedSnapshot } from '../../derived/derived-snapshot.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';

/**
 * Passes the bodies that `statement` (`compileExport`) yields to `take`, two hundred at a time, all from one snapshot
 * and in constant memory: the next ones are read when `take` is done. A `signal` that aborts ends it. `before` runs
 * first, in the same snapshot.
 */
export const exportRecords = (
  database: Connections,
  statement: Sql,
  take: (bodies: readonly string[]) => Promise<void>,
  signal?: AbortSignal,
  before?: (snapshot: Transaction) => Promise<void>,
): Promise<void> =>
  derivedSnapshot(
    database,
    async (transaction) => {
      await before?.(transaction);
      // Plans for all rows, not for the first rows soon.
      await transaction.query(sql`set local cursor_tuple_fraction = 1`);
      await transaction.query(sql`declare exported no scroll cursor for ${statement}`);
      for (let rows = await fetch(transaction); rows.length > 0; rows = await fetch(transaction)) {
        await take(rows.map(({ body }) => body));
      }
    },
    signal,
  );

const fetch = (transaction: Transaction): Promise<{ readonly body: string }[]> => transaction.query(FETCH);

// A count cannot be a parameter of FETCH. Few enough that large records do not take much memory.
const FETCH = sql`fetch forward 200 from exported`;
