import { BITMAPS_LOCK } from '../../../platform/database/connection/advisory-locks.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { sql } from '../../../kernel/sql/sql.js';
import { bitsOfPieces, chunkOf, chunkOfPiece, EVERY_RECORD, NO_BITS, pieceOf, pieceOfBits } from './bitmap.js';
import { areInOnePeriod, slicesOf } from './update-period.js';

/** One process at a time may. */
export async function mayWriteBitmaps(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ readonly locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${BITMAPS_LOCK}) as locked`,
  );
  return row?.locked === true;
}

/**
 * Sets the bits of up to `most` marked records and removes the marks; resolves with their number. Requires
 * `mayWriteBitmaps`. A single statement, so that bits, marks and records share a snapshot.
 */
export async function foldDirty(transaction: Queryable, most: number): Promise<number> {
  const [row] = await transaction.query<{ readonly folded: string }>(sql`
    with gone as (
      delete from bitmap_dirty where ctid = any (array(select ctid from bitmap_dirty limit ${most}::int))
      returning seq, terms, updated_at
    ), changed as materialized (
      -- Once, as PostgreSQL expects few marks where it has last seen none.
      select g.seq, g.terms as had, s.terms as has, g.updated_at as had_at, s.updated_at as has_at,
             ${areInOnePeriod(sql`g.updated_at`, sql`s.updated_at`)} is not true as is_moved
        from gone g left join event_search s using (seq)
    ), had as (
      -- An event that was deleted has lost what every record has, too.
      select seq, unnest(had || ${EVERY_RECORD}) as term, false as has from changed
       union all
      select seq, unnest(${slicesOf(sql`had_at`)}), false from changed where is_moved
    ), has as (
      select seq, unnest(has || ${EVERY_RECORD}) as term, true as has from changed where has is not null
       union all
      select seq, unnest(${slicesOf(sql`has_at`)}), true from changed where is_moved and has is not null
    ), kept as (
      select term, null as next_chunk from bitmap union all select term, next_chunk from bitmap_begun
    ), bit as (
      select seq, term, bool_or(has) as has
        from (select * from had union all select * from has) b join kept using (term)
       where next_chunk is null or ${chunkOf(sql`seq`)} < next_chunk
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
        from mask m left join bitmap_chunk b on b.term = m.term and b.chunk = m.chunk
    ), written as (
      insert into bitmap_chunk (term, chunk, bits) select term, chunk, bits from folded where bits <> before
          on conflict (term, chunk) do update set bits = excluded.bits
    )
    select count(*) as folded from gone`);
  return Number(row?.folded ?? 0);
}

/** Removes a bitmap, built or begun. Requires `mayWriteBitmaps`. */
export async function forgetBitmap(transaction: Queryable, term: bigint): Promise<void> {
  await transaction.query(sql`delete from bitmap where term = ${term}::bigint`);
  await transaction.query(sql`delete from bitmap_begun where term = ${term}::bigint`);
  await transaction.query(sql`delete from bitmap_chunk where term = ${term}::bigint`);
}

/** Searches work without bitmaps until they are rebuilt. */
export const FORGET_BITMAPS = sql`truncate bitmap, bitmap_begun, bitmap_chunk, bitmap_dirty`;
