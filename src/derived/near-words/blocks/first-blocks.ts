import type { Queryable } from '../../../database/queryable.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';

/** Three quarters of what a block has at most: what comes later gets in without dividing it. */
const FIRST_ENTRIES = 36;

/** In which order blocks have words: numbers and addresses, or names, by their beginnings; the other is by ends. */
export type Beginnings = 'f' | 'F';

/** Whether there is nothing in these blocks yet: the first of all may be there, without an entry. */
export async function areEmpty(transaction: Queryable, beginnings: Beginnings): Promise<boolean> {
  const [row] = await transaction.query<{ empty: boolean }>(sql`
    select not exists (select from number_block where direction = ${beginnings}::"char" and entries <> '') as empty`);
  return row?.empty === true;
}

/**
 * Writes the first blocks of all entries (rows `direction`, `entry`) in one statement, which sorts them. Merged batch by
 * batch into blocks, millions of numbers would write each block again with every batch.
 */
export async function writeFirstBlocks(transaction: Queryable, entries: Sql): Promise<void> {
  await transaction.query(sql`
    insert into number_block (direction, first, entries)
    select direction, case part when 0 then '' else min(entry) end, string_agg(entry, chr(10) order by entry)
      from (select direction, entry,
                   (row_number() over (partition by direction order by entry) - 1) / ${FIRST_ENTRIES}::int as part
              from (select distinct direction, entry collate "C" as entry from (${entries}) as fresh) as each) as numbered
     group by direction, part
     order by 1, 2
        on conflict (direction, first) do update set entries = excluded.entries`);
}
