import { BITMAPS_LOCK } from '../../database/advisory-locks.js';
import type { Queryable } from '../../database/queryable.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import {
  bitsOfPieces,
  chunkOf,
  chunkOfPiece,
  EVERY_RECORD,
  EVERY_TERM,
  firstOf,
  NO_BITS,
  pieceOf,
  pieceOfBits,
} from './bitmap.js';
import { areInOnePeriod, isInSlice, slicesOf, UPDATE_SLICES } from './update-period.js';

/** Whether this transaction may write bitmaps: of all processes, one at a time may. */
export async function mayWriteBitmaps(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ readonly locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${BITMAPS_LOCK}) as locked`,
  );
  return row?.locked === true;
}

/**
 * Sets the bits of up to `most` marked records and removes their marks; resolves with the number of marks. Only bitmaps
 * in which a bit changes are written. To be run where `mayWriteBitmaps`: a single statement, so that bits, marks and
 * records are of one snapshot, and a concurrent writer leaves its own mark.
 */
export async function foldDirty(transaction: Queryable, most: number): Promise<number> {
  // Refused to earlier releases, see the migration `update-slices`.
  await transaction.query(sql`select set_config('matricula.bitmaps', 'update slices', true)`);
  const [row] = await transaction.query<{ readonly folded: string }>(sql`
    with gone as (
      delete from facet_dirty where ctid = any (array(select ctid from facet_dirty limit ${most}::int))
      returning seq, terms, updated_at
    ), current as materialized (
      select s.seq, s.terms, s.updated_at from (select distinct seq from gone) g join event_search s using (seq)
    ), moved as (
      select distinct g.seq from gone g left join current c using (seq)
       where ${areInOnePeriod(sql`g.updated_at`, sql`c.updated_at`)} is not true
    ), had as (
      -- An event that was deleted has lost what every record has, too.
      select seq, unnest(terms || ${EVERY_RECORD}) as term, false as has from gone
       union all
      select seq, unnest(${slicesOf(sql`updated_at`)}), false from gone join moved using (seq)
    ), has as (
      select seq, unnest(terms || ${EVERY_RECORD}) as term, true as has from current
       union all
      select seq, unnest(${slicesOf(sql`updated_at`)}), true from current join moved using (seq)
    ), bit as (
      select seq, term, bool_or(has) as has
        from (select * from had union all select * from has) b join facet using (term)
       group by seq, term
    ), piece as (
      select term, has, ${pieceOf(sql`seq`)} as piece, ${pieceOfBits(sql`seq`)} as bits from bit group by 1, 2, 3
    ), mask as (
      select term, ${chunkOfPiece(sql`piece`)} as chunk,
             coalesce(${bitsOfPieces(sql`bits`, sql`piece`)} filter (where has), ${NO_BITS}) as gained,
             coalesce(${bitsOfPieces(sql`bits`, sql`piece`)} filter (where not has), ${NO_BITS}) as lost
        from piece group by 1, 2
    ), folded as (
      select m.term, m.chunk, coalesce(b.bits, ${NO_BITS}) as before, (coalesce(b.bits, ${NO_BITS}) & ~m.lost) | m.gained as bits
        from mask m left join facet_bitmap b on b.term = m.term and b.chunk = m.chunk
    ), written as (
      insert into facet_bitmap (term, chunk, bits) select term, chunk, bits from folded where bits <> before
          on conflict (term, chunk) do update set bits = excluded.bits
    )
    select count(*) as folded from gone`);
  return Number(row?.folded ?? 0);
}

/**
 * Creates the bitmap of a term, unless it has one; resolves with the number of its chunks. To be run where
 * `mayWriteBitmaps`.
 */
export async function buildBitmap(transaction: Queryable, term: bigint): Promise<number> {
  const added = await transaction.query(
    sql`insert into facet (term) values (${term}::bigint) on conflict do nothing returning term`,
  );
  if (added.length === 0) return 0;
  const chunks = await transaction.query(sql`
    insert into facet_bitmap (term, chunk, bits)
    select ${term}::bigint, ${chunkOfPiece(sql`piece`)}, ${bitsOfPieces(sql`bits`, sql`piece`)}
      from (select ${pieceOf(sql`s.seq`)} as piece, ${pieceOfBits(sql`s.seq`)} as bits from event_search s
             where ${hasBitOf(term)} group by 1) p
     group by 2
    returning chunk`);
  return chunks.length;
}

/** Whether the record `s` has a bit in the bitmap of a term, or of what is kept as one. */
function hasBitOf(term: bigint): Sql {
  if (term === EVERY_TERM) return sql`true`;
  return UPDATE_SLICES.includes(term) ? isInSlice(term, sql`s.updated_at`) : sql`s.terms @> array[${term}::bigint]`;
}

/** Rows of each bitmap that one statement makes: some 120,000 records, a few seconds. */
const ROWS_AT_A_TIME = 8;

/**
 * The same for many terms, by going through all records once: to find those of each term takes longer where the
 * database is larger than memory. Each statement has a snapshot of its own. What changes meanwhile stays marked, since
 * nobody else removes marks.
 */
export async function buildBitmaps(transaction: Queryable, terms: readonly bigint[]): Promise<number> {
  const added = await transaction.query<{ readonly term: string }>(
    sql`insert into facet (term) select unnest(${terms}::bigint[]) on conflict do nothing returning term`,
  );
  const [end] = await transaction.query<{ readonly rows: number | null }>(
    sql`select ${chunkOf(sql`max(seq)`)} + 1 as rows from event_search`,
  );
  for (let row = 0; row < (end?.rows ?? 0); row += ROWS_AT_A_TIME) {
    await transaction.query(sql`
      insert into facet_bitmap (term, chunk, bits)
      select term, ${chunkOfPiece(sql`piece`)}, ${bitsOfPieces(sql`bits`, sql`piece`)}
        from (select has.term, ${pieceOf(sql`s.seq`)} as piece, ${pieceOfBits(sql`s.seq`)} as bits
                from event_search s cross join lateral unnest(s.terms || ${EVERY_RECORD} || ${slicesOf(sql`s.updated_at`)}) as has (term)
                join unnest(${added.map(({ term }) => term)}::bigint[]) as wanted (term) on wanted.term = has.term
               where s.seq >= ${firstOf(sql`${row}::bigint`)} and s.seq < ${firstOf(sql`${row + ROWS_AT_A_TIME}::bigint`)}
               group by 1, 2) p
       group by 1, 2`);
  }
  return added.length;
}

/** Removes a bitmap; resolves with how many there were. To be run where `mayWriteBitmaps`. */
export async function forgetBitmap(transaction: Queryable, term: bigint): Promise<number> {
  const gone = await transaction.query(sql`delete from facet where term = ${term}::bigint returning term`);
  return gone.length;
}

/**
 * Removes all bitmaps: they are created again, and searches work without them meanwhile. For whoever derives terms
 * anew.
 */
export const FORGET_BITMAPS = sql`truncate facet, facet_bitmap, facet_dirty`;
