import { BITMAPS_LOCK } from '../../../platform/database/connection/advisory-locks.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import { LOCATION_COLUMNS, LOCATION_FIELDS } from '../searched-columns.js';
import { bitsOfPieces, chunkOfPiece, EVERY_RECORD, EVERY_TERM, NO_BITS, pieceOf, pieceOfBits } from './bitmap.js';
import type { WantedBitmap } from './choose-bitmaps.js';

/** The terms with a bitmap. */
export async function readTracked(database: Queryable): Promise<ReadonlySet<bigint>> {
  const rows = await database.query<{ readonly term: string }>(sql`select term from bitmap`);
  return new Set(rows.map(({ term }) => BigInt(term)));
}

/** One process at a time may. */
export async function mayWriteBitmaps(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ readonly locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${BITMAPS_LOCK}) as locked`,
  );
  return row?.locked === true;
}

/** Unless it exists. Requires `mayWriteBitmaps`: concurrent changes stay marked. */
export async function buildBitmap(transaction: Queryable, { term, area }: WantedBitmap): Promise<void> {
  const added = await transaction.query(sql`
    insert into bitmap (term, place_column, places)
    values (${term}::bigint, ${area?.column ?? null}::text, ${area?.places ?? null}::uuid[])
        on conflict do nothing returning term`);
  if (added.length === 0) return;
  await transaction.query(sql`
    insert into bitmap_chunk (term, chunk, bits)
    select ${term}::bigint, ${chunkOfPiece(sql`piece`)}, ${bitsOfPieces(sql`bits`, sql`piece`)}
      from (select ${pieceOf(sql`s.seq`)} as piece, ${pieceOfBits(sql`s.seq`)} as bits from event_search s
             where ${hasBit(term, area)} group by 1) p
     group by 2`);
}

function hasBit(term: bigint, area: WantedBitmap['area']): Sql {
  if (area !== undefined) return sql`s.${LOCATION_COLUMNS[area.column]} = any (${area.places}::uuid[])`;
  return term === EVERY_TERM ? sql`true` : sql`s.terms @> array[${term}::bigint]`;
}

/** Rows `{place_column, place}` of a record `s`. */
const PLACES = Sql.join(
  LOCATION_FIELDS.map(({ column }) => sql`(${column}::text, s.${LOCATION_COLUMNS[column]})`),
  ', ',
);

/**
 * Sets the bits of up to `most` marked records and removes the marks; resolves with their number. Requires
 * `mayWriteBitmaps`. A single statement, so that bits, marks and records share a snapshot.
 */
export async function foldDirty(transaction: Queryable, most: number): Promise<number> {
  const [row] = await transaction.query<{ readonly folded: string }>(sql`
    with gone as (
      delete from bitmap_dirty where ctid = any (array(select ctid from bitmap_dirty limit ${most}::int))
      returning seq, terms, places
    ), changed as materialized (
      -- Once, as PostgreSQL expects few marks where it has last seen none.
      select g.seq, g.terms as had, g.places, s.terms as has from gone g left join event_search s using (seq)
    ), area as materialized (
      select term, place_column, place from bitmap cross join lateral unnest(places) as within (place)
    ), had as (
      -- An event that was deleted has lost what every record has, too.
      select seq, unnest(had || ${EVERY_RECORD}) as term, false as has from changed
       union all
      select seq, term, false from changed cross join lateral unnest(places) as had (place) join area using (place)
    ), has as (
      select seq, unnest(has || ${EVERY_RECORD}) as term, true as has from changed where has is not null
       union all
      select seq, term, true
        from changed join event_search s using (seq) cross join lateral (values ${PLACES}) as at (place_column, place)
             join area using (place_column, place)
    ), bit as (
      select seq, term, bool_or(has) as has
        from (select * from had union all select * from has) b join bitmap using (term)
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

/** Requires `mayWriteBitmaps`. */
export async function forgetBitmap(transaction: Queryable, term: bigint): Promise<void> {
  await transaction.query(sql`delete from bitmap where term = ${term}::bigint`);
  await transaction.query(sql`delete from bitmap_chunk where term = ${term}::bigint`);
}

/** Searches work without bitmaps until they are rebuilt. */
export const FORGET_BITMAPS = sql`truncate bitmap, bitmap_chunk, bitmap_dirty`;
