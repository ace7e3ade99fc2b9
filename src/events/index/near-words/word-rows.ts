import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { ShapeAspect } from '../terms/data-aspect.js';
import { NUMBER_OR_EMAIL } from '../terms/is-number-or-email.js';
import { IN_BLOCKS } from './write-blocks.js';

export interface Row {
  readonly path_id: number;
  /** Separated by spaces. */
  readonly words: string | null;
  readonly aspects: readonly ShapeAspect[] | null;
}

/** The last snapshot read (`pg_current_snapshot()`). */
export type Position = string;

/** Words of transactions before these are in blocks. */
export interface InBlocks {
  readonly numbersBefore: string;
  readonly namesBefore: string;
}

export interface Reading extends InBlocks {
  readonly position: Position;
  /** In characters; null without addresses. */
  readonly shortestAddress: number | null;
  /** Beside digits, each once; null if unknown. */
  readonly numberLetters: string | null;
  /** Sort letters of those names (`nameLettersOf`), each once. */
  readonly nameLetters: string;
}

export const READING = sql`
  select pg_current_snapshot()::text as position, written_before::text as "numbersBefore",
         names_before::text as "namesBefore", letters as "nameLetters", shortest_address as "shortestAddress",
         number_letters as "numberLetters" from (${IN_BLOCKS}) as until`;

/** Throws if there is none: searches would find nothing. */
export function readingOf([reading]: readonly Reading[]): Reading {
  if (reading === undefined) throw new Error('number_blocks_until or name_blocks_until has no row');
  return reading;
}

const ALL_WORDS = sql`select path_id, word as words, null::text[] as aspects from fuzzy_word`;
const ALL_LISTS = sql`select path_id, words, null::text[] as aspects from fuzzy_word_list`;
const ALL_SHAPES = sql`select path_id, null as words, array[aspect] as aspects from data_shape`;

const NUMBER = sql`${NUMBER_OR_EMAIL.source}::text`;

/** Some hundred in a row, which is faster to read. */
export const wordsFrom = ({ numbersBefore, namesBefore }: InBlocks): Sql => sql`
  select path_id, string_agg(word, ' ') as words, null::text[] as aspects
    from (select path_id, word, row_number() over (order by path_id, word) / 500 as part from fuzzy_word
           where word !~ ${NUMBER} ${namesBefore === '0' ? sql`` : sql`and written_by >= ${namesBefore}::xid8`}) as numbered
   group by path_id, part
   union all
  select path_id, word, null from fuzzy_word where written_by >= ${numbersBefore}::xid8 and word ~ ${NUMBER}
   union all
  ${ALL_LISTS} where written_by >= ${numbersBefore}::xid8`;

/** Not visible at `position`. */
export const newRows = (position: Position): Sql =>
  sql`${newAmong(ALL_WORDS, position)} union all ${newAmong(ALL_LISTS, position)} union all ${newShapes(position)}`;

export const newShapes = (position: Position): Sql => newAmong(ALL_SHAPES, position);

/** Transactions running or later at `position`: `xmin:xmax:in progress,…`. */
function newAmong(rows: Sql, position: Position): Sql {
  const [, begun = '', inProgress = ''] = position.split(':');
  const later = sql`${rows} where written_by >= ${begun}::xid8`;
  if (inProgress === '') return later;
  return sql`${later} union all ${rows} where written_by = any (${inProgress.split(',')}::xid8[])`;
}

/** Restored rows can have future transaction ids. */
export const ADOPT = [sql`fuzzy_word`, sql`fuzzy_word_list`, sql`data_shape`].map(
  (table) => sql`update ${table} set written_by = pg_current_xact_id()
                  where written_by >= pg_snapshot_xmax(pg_current_snapshot())`,
);

/** Some hundred words each; FETCH takes no parameter. */
export const FETCH = sql`fetch forward 100 from words`;
