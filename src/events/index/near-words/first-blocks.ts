import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';

/** Three quarters of a full block, to avoid later splits. */
const FIRST_ENTRIES = 36;

const ENDS = { f: 'r', F: 'R' } as const;
type Beginnings = keyof typeof ENDS;

/** The first block may exist without an entry. */
export async function areEmpty(transaction: Queryable, beginnings: Beginnings): Promise<boolean> {
  const [row] = await transaction.query<{ empty: boolean }>(sql`
    select not exists (select from number_block where direction = ${beginnings}::"char" and entries <> '') as empty`);
  return row?.empty === true;
}

/** From rows `direction`, `entry`, in one sorted statement: merging would rewrite blocks with every batch. */
export async function writeFirstBlocks(transaction: Queryable, entries: Sql, beginnings: Beginnings): Promise<void> {
  // Emptied blocks would lie between the new ones.
  await transaction.query(sql`
    delete from number_block where direction in (${beginnings}::"char", ${ENDS[beginnings]}::"char") and first <> ''`);
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
