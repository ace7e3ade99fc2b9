import type { Database } from '../../database/database.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';

/**
 * Hands the bodies that `statement` (`compileExport`) yields to `take`, some hundred at a time, all from one snapshot
 * and in constant memory: the next ones are read when `take` is done.
 */
export const exportRecords = (
  database: Database,
  statement: Sql,
  take: (bodies: readonly string[]) => Promise<void>,
): Promise<void> =>
  database.snapshot(async (transaction) => {
    await transaction.query(sql`declare exported no scroll cursor for ${statement}`);
    for (;;) {
      const rows = await transaction.query<{ body: string }>(FETCH);
      if (rows.length === 0) return;
      await take(rows.map(({ body }) => body));
    }
  });

// A count cannot be a parameter of FETCH.
const FETCH = sql`fetch forward 500 from exported`;
