import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { NUMBER_BLOCKS_LOCK } from '../../../platform/database/connection/advisory-locks.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { entriesOfNames, entriesOfNumbers, numbersOf, type Range } from './block-entries.js';
import { PLAIN_LETTERS } from './name-letters.js';

/** Three quarters of a full block, to avoid later splits. */
const FIRST_ENTRIES = 36;

const ENDS = { f: 'r', F: 'R' } as const;
type Beginnings = keyof typeof ENDS;

/** The first block may exist without an entry. */
async function areEmpty(transaction: Queryable, beginnings: Beginnings): Promise<boolean> {
  const [row] = await transaction.query<{ empty: boolean }>(sql`
    select not exists (select from number_block where direction = ${beginnings}::"char" and entries <> '') as empty`);
  return row?.empty === true;
}

/** From rows `direction`, `entry`, in one sorted statement: merging would rewrite blocks with every batch. */
async function writeFirstBlocks(transaction: Queryable, entries: Sql, beginnings: Beginnings): Promise<void> {
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

/** About a kilobyte: a trade-off between the number of blocks and surplus reads. */
const MOST_ENTRIES = 48;

/** For sorting and merging entries. */
const MEMORY = sql`select set_config('work_mem', '64MB', true)`;

/** Less stays in rows, which every process has read. */
export interface Batch {
  /** Rows of `fuzzy_word`, names included. */
  readonly words: number;
  /** Rows of `fuzzy_word_list`. */
  readonly lists: number;
}

interface Most extends Batch {
  readonly bytes: number;
}

/**
 * For existing blocks: larger moves rewrite fewer. One block's entries form a single value, at most a gigabyte in
 * PostgreSQL. First blocks have no limit.
 */
const MOST_AT_ONCE: Most = { words: 2_000_000, lists: 8_000, bytes: 200_000_000 };

/** Restored rows refer to another server: nothing is in blocks ('0'). */
const ifOfThisServer = (table: Sql): Sql =>
  sql`case when ${table}.xmin = ${table}.moved_by::xid then ${table}.written_before else '0' end`;

/**
 * A select of `written_before` and `names_before`, below which numbers and names are in blocks, with filters. '0' while
 * names stay in memory.
 */
export const IN_BLOCKS: Sql = sql`
  select ${ifOfThisServer(sql`numbers`)} as written_before, ${ifOfThisServer(sql`names`)} as names_before,
         shortest_address, letters, (
           select letters from number_letters where written_before = numbers.written_before) as number_letters
    from number_blocks_until as numbers cross join name_blocks_until as names`;

/**
 * Moves the oldest numbers and addresses, if there is a batch; resolves with whether it did. Requires its own
 * transaction, one process at a time.
 *
 * Words of transactions before `number_blocks_until.written_before` are complete in blocks. Their rows stay for older
 * releases and `reindex --check`.
 */
export async function moveIntoBlocks(transaction: Queryable, batch: Batch, mostBytes?: number): Promise<boolean> {
  const [lock] = await transaction.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${NUMBER_BLOCKS_LOCK}) as locked`,
  );
  if (lock?.locked !== true) return false;
  const areFirst = await areEmpty(transaction, 'f');
  const most = mostAtOnce(areFirst, mostBytes);
  const range = await nextRange(transaction, batch, most);
  if (range === undefined) return false;
  await transaction.query(MEMORY);
  if (areFirst) await writeFirstBlocks(transaction, entriesOfNumbers(range), 'f');
  else await mergeIntoBlocks(transaction, entriesOfNumbers(range));
  await transaction.query(sql`
    update number_blocks_until
       set written_before = ${range.before}::xid8, moved_by = pg_current_xact_id(),
           shortest_address = least(shortest_address, (
             select min(length(word)) from (${numbersOf(range)}) as moved where position('@' in word) > 0))`);
  await keepLetters(transaction, range);
  return true;
}

/** All moved numbers are read again if an earlier release has moved some. */
async function keepLetters(transaction: Queryable, { from, before }: Range): Promise<void> {
  const [kept] = await transaction.query<{ before: string }>(
    sql`select written_before::text as before from number_letters`,
  );
  const unknown = { from: kept?.before === from ? from : '0', before };
  await transaction.query(sql`
    update number_letters
       set written_before = ${before}::xid8, letters = (
             select coalesce(string_agg(letter, '' order by letter collate "C"), '') from (
               select letter from string_to_table(letters, null) as letter
                union
               select letter from (select translate(word, '0123456789', '') as others from (${numbersOf(unknown)}) as moved
                                    where position('@' in word) = 0) as each, string_to_table(others, null) as letter
                where others <> '') as every)`);
}

/** Up to the numbers moved. `begin` starts the first move; later ones follow without it. */
export async function moveNamesIntoBlocks(
  transaction: Queryable,
  begin: boolean,
  mostBytes?: number,
): Promise<boolean> {
  const [lock] = await transaction.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${NUMBER_BLOCKS_LOCK}) as locked`,
  );
  if (lock?.locked !== true) return false;
  const areFirst = await areEmpty(transaction, 'F');
  const most = mostAtOnce(areFirst, mostBytes);
  const range = await nextRangeOfNames(transaction, begin, most);
  if (range === undefined) return false;
  await transaction.query(MEMORY);
  if (areFirst) await writeFirstBlocks(transaction, entriesOfNames(range), 'F');
  else await mergeIntoBlocks(transaction, entriesOfNames(range));
  // Only names with other letters, which are truncated: long plain ones have no more than 36 letters.
  await transaction.query(sql`
    update name_blocks_until
       set written_before = ${range.before}::xid8, moved_by = pg_current_xact_id(), letters = (
             select string_agg(letter, '' order by letter collate "C") from (
               select letter from string_to_table(letters || ${PLAIN_LETTERS}::text, null) as letter
                union
               select letter from (${entriesOfNames(range)}) as moved,
                                  string_to_table(split_part(entry, ' ', 1), null) as letter
                where split_part(entry, ' ', 3) <> '') as each)`);
  return true;
}

/** Undefined: no limit. */
const mostAtOnce = (areFirst: boolean, bytes: number | undefined): Most | undefined =>
  areFirst && bytes === undefined ? undefined : { ...MOST_AT_ONCE, bytes: bytes ?? MOST_AT_ONCE.bytes };

/** At least a batch of ended transactions; undefined if less. */
async function nextRange(
  transaction: Queryable,
  { words, lists }: Batch,
  most: Most | undefined,
): Promise<Range | undefined> {
  const last = most && sql`least(${nthOf(sql`fuzzy_word`, most.words)}, ${nthOf(sql`fuzzy_word_list`, most.lists)})`;
  const [range] = await transaction.query<Range>(sql`
    with until as materialized (
           select written_before as "from", pg_snapshot_xmin(pg_current_snapshot()) as ended
             from (${IN_BLOCKS}) as until)
    select "from"::text, least(${last === undefined ? sql`ended` : sql`${behind(last)}, ended`})::text as before
      from until
     where ${nthOf(sql`fuzzy_word`, words)} is not null or ${nthOf(sql`fuzzy_word_list`, lists)} is not null`);
  return range && ofSoManyBytes(transaction, range, most);
}

/**
 * Limited, up to the numbers moved; undefined if none are left. Counts nothing while names stay in memory: every
 * process asks every few seconds.
 */
async function nextRangeOfNames(
  transaction: Queryable,
  begin: boolean,
  most: Most | undefined,
): Promise<Range | undefined> {
  const last = most && nthOf(sql`fuzzy_word`, most.words);
  const [range] = await transaction.query<Range>(sql`
    with until as materialized (
           select names_before as "from", written_before as ended from (${IN_BLOCKS}) as until)
    select "from"::text, least(${last === undefined ? sql`ended` : sql`${behind(last)}, ended`})::text as before
      from until where "from" < ended and ("from" > '0' or ${begin}::boolean)`);
  return range && ofSoManyBytes(transaction, range, most);
}

/** Up to the limit of bytes. */
async function ofSoManyBytes(transaction: Queryable, { from, before }: Range, most: Most | undefined): Promise<Range> {
  if (most === undefined) return { from, before };
  const sizesIn = (table: Sql, words: Sql): Sql => sql`
    select written_by, octet_length(${words})::bigint as bytes from ${table}
     where written_by >= ${from}::xid8 and written_by < ${before}::xid8`;
  const [last] = await transaction.query<{ before: string }>(sql`
    select ${behind(sql`written_by`)}::text as before
      from (select written_by, sum(bytes) over (order by written_by) as bytes
              from (${sizesIn(sql`fuzzy_word`, sql`word`)} union all ${sizesIn(sql`fuzzy_word_list`, sql`words`)}) as each
           ) as up_to
     where bytes >= ${most.bytes}::bigint order by written_by limit 1`);
  return { from, before: last?.before ?? before };
}

/** Row `number` counts from 1; null if there are fewer. */
const nthOf = (table: Sql, number: number): Sql => sql`
  (select written_by from ${table} where written_by >= "from" and written_by < ended
    order by written_by offset ${number - 1}::int limit 1)`;

/** The next transaction id. */
const behind = (transaction: Sql): Sql => sql`((${transaction})::text::bigint + 1)::text::xid8`;

/** An overfull block is split, the first part under its old name. */
async function mergeIntoBlocks(transaction: Queryable, entries: Sql): Promise<void> {
  await transaction.query(sql`
    with fresh as (${entries}),
         located as materialized (
           select direction, entry collate "C" as entry, coalesce((
                    select first from number_block as block
                     where block.direction = fresh.direction and block.first <= fresh.entry collate "C"
                     order by block.direction desc, block.first desc limit 1), '') as block
             from fresh),
         touched as (
           select direction, block, array_agg(entry) as entries from located group by direction, block)
    insert into number_block (direction, first, entries)
    select direction, case part when 0 then block else part_first end, part_entries
      from touched cross join lateral (
           select part, min(entry) as part_first, string_agg(entry, chr(10) order by entry) as part_entries
             from (select entry, (row_number() over (order by entry) - 1)
                            * ((count(*) over () + ${MOST_ENTRIES - 1}::int) / ${MOST_ENTRIES}::int)
                            / count(*) over () as part
                     from (select entry collate "C" as entry
                             from number_block as old, unnest(string_to_array(old.entries, chr(10))) as entry
                            where old.direction = touched.direction and old.first = touched.block
                            union
                           select unnest(touched.entries)) as merged) as numbered
            group by part) as parts
     order by 1, 2
        on conflict (direction, first) do update set entries = excluded.entries
           where number_block.entries <> excluded.entries`);
}
