import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { sql } from '../../../kernel/sql/sql.js';
import { entriesOfNames, entriesOfNumbers } from './block-entries.js';
import { IN_BLOCKS } from './write-blocks.js';

/** Recorded as moved, but in no block. */
export interface MissingWords {
  readonly pathId: number;
  readonly count: number;
}

/** In both directions, with constant memory. Surplus words in blocks are harmless. */
export async function missingFromBlocks(reader: Queryable): Promise<readonly MissingWords[]> {
  const [until] = await reader.query<{ numbersBefore: string; namesBefore: string }>(sql`
    select written_before::text as "numbersBefore", names_before::text as "namesBefore" from (${IN_BLOCKS}) as until`);
  if (until === undefined) return [];
  return reader.query<MissingWords>(sql`
    select path_id as "pathId", count(*)::int as count
      from (${entriesOfNumbers({ from: '0', before: until.numbersBefore })}
             union all
            ${entriesOfNames({ from: '0', before: until.namesBefore })}) as due
     where coalesce((
             select strpos(chr(10) || block.entries || chr(10), chr(10) || due.entry || chr(10)) = 0
               from number_block as block
              where block.direction = due.direction and block.first <= due.entry collate "C"
              order by block.direction desc, block.first desc limit 1), true)
     group by path_id order by path_id`);
}
