import type { Uuid } from '../../../kernel/domain/uuid.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import { BITMAPS_LOCK } from '../../../platform/database/connection/advisory-locks.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { LOCATION_COLUMNS, LOCATION_FIELDS, type LocationColumn } from '../searched-columns.js';
import type { Statistics } from './cardinalities.js';
import { isUncountable, type Terms } from '../terms/terms.js';

/** As in the migration: the bit of `seq` is `seq % 15360` of chunk `seq / 15360`. */
export const CHUNK = sql`15360`;

export const chunkOf = (seq: Sql): Sql => sql`(${seq} / ${CHUNK})::int`;

export const positionOf = (seq: Sql): Sql => sql`(${seq} % ${CHUNK})::int`;

export const NO_BITS = sql`'0'::bit(${CHUNK})`;

/** Pseudo-term of every record. */
export const EVERY_TERM = 0n;
export const EVERY_RECORD = sql`0::bigint`;

/** A thirtieth of a row: setting one bit copies the whole value. */
const PIECE = sql`512`;
const PIECES = sql`30`;

const pieceOf = (seq: Sql): Sql => sql`${seq} / ${PIECE}`;

/** An aggregate over the seqs of one piece. */
const pieceOfBits = (seq: Sql): Sql => sql`bit_or(set_bit('0'::bit(${PIECE}), (${seq} % ${PIECE})::int, 1))`;

const chunkOfPiece = (piece: Sql): Sql => sql`(${piece} / ${PIECES})::int`;

/** An aggregate over the pieces of one chunk. */
const bitsOfPieces = (bits: Sql, piece: Sql): Sql =>
  sql`bit_or(${bits}::bit(${CHUNK}) >> (${piece} % ${PIECES} * ${PIECE})::int)`;

/** With fewer records a full scan is as fast. */
const FEWEST_RECORDS = 20_000;

/** Searches read each record of a rarer term. */
const LEAST_SHARE = 0.0005;
/** For an area in a column. */
const LEAST_SHARE_OF_PLACES = 0.05;

/** Existing bitmaps are kept down to this part of the share. */
const KEPT_FROM = 0.5;

/** 125 kB per million records, a tenth for a rare term. */
const MOST_TERMS = 4_000;

export interface WantedBitmap {
  readonly term: bigint;
  /** The records whose column is one of the places; absent: those that have the term. */
  readonly area?: { readonly column: LocationColumn; readonly places: readonly Uuid[] };
}

interface Choice {
  /** The most frequent first. */
  readonly wanted: readonly WantedBitmap[];
  readonly unwanted: readonly bigint[];
}

/**
 * `tracked`: the terms with a bitmap; `areas`: the places below each, the area included. A bitmap needs a countable
 * term, since others never decide.
 */
export function chooseBitmaps(
  statistics: Statistics,
  tracked: ReadonlySet<bigint>,
  terms: Terms,
  areas: Iterable<readonly Uuid[]>,
): Choice {
  // Without statistics every term would seem rare.
  if (statistics.records < FEWEST_RECORDS || statistics.terms.size === 0) return { wanted: [], unwanted: [] };
  const isFrequent = (term: bigint, share: number, least: number): boolean =>
    share >= (tracked.has(term) ? KEPT_FROM : 1) * least;
  const frequent = [...statistics.terms]
    .filter(([term, share]) => !isUncountable(term) && isFrequent(term, share, LEAST_SHARE))
    .toSorted(([, a], [, b]) => b - a)
    .map(([term]): WantedBitmap => ({ term }));
  const ofAreas = [...areas].flatMap((places) =>
    LOCATION_FIELDS.flatMap(({ column }): readonly WantedBitmap[] => {
      const shares = statistics.locations[column];
      const share = places.reduce((sum, place) => sum + (shares.get(place) ?? 0), 0);
      if (share < KEPT_FROM * LEAST_SHARE_OF_PLACES) return [];
      const term = terms.ofPlaces(column, places);
      return isFrequent(term, share, LEAST_SHARE_OF_PLACES) ? [{ term, area: { column, places } }] : [];
    }),
  );
  const all = [{ term: EVERY_TERM }, ...ofAreas, ...frequent.slice(0, MOST_TERMS - ofAreas.length)];
  const chosen = new Set(all.map(({ term }) => term));
  return {
    wanted: all.filter(({ term }) => !tracked.has(term)),
    unwanted: [...tracked].filter((term) => !chosen.has(term)),
  };
}

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

/** The bits that `event_search` demands in one chunk: rows `{term, bits}`. */
export const bitsOfChunk = (chunk: number): Sql => sql`
  with area as materialized (
    select term, place_column, place from bitmap cross join lateral unnest(places) as within (place)
  ), s as materialized (
    select * from event_search where seq >= ${chunk}::bigint * ${CHUNK} and seq < ${chunk + 1}::bigint * ${CHUNK}
  ), has as (
    select seq, term from s cross join lateral unnest(terms || ${EVERY_RECORD}) as had (term) join bitmap using (term)
     union all
    select seq, term from s cross join lateral (values ${PLACES}) as at (place_column, place) join area using (place_column, place)
  )
  select term, ${bitsOfPieces(sql`bits`, sql`piece`)} as bits
    from (select term, ${pieceOf(sql`seq`)} as piece, ${pieceOfBits(sql`seq`)} as bits from has group by 1, 2) p
   group by 1`;

/** Requires `mayWriteBitmaps`. */
export async function forgetBitmap(transaction: Queryable, term: bigint): Promise<void> {
  await transaction.query(sql`delete from bitmap where term = ${term}::bigint`);
  await transaction.query(sql`delete from bitmap_chunk where term = ${term}::bigint`);
}

/** Searches work without bitmaps until they are rebuilt. */
export const FORGET_BITMAPS = sql`truncate bitmap, bitmap_chunk, bitmap_dirty`;
