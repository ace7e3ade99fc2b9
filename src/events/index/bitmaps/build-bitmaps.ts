import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import {
  bitsOfPieces,
  chunkOf,
  chunkOfPiece,
  EVERY_RECORD,
  EVERY_TERM,
  firstOf,
  pieceOf,
  pieceOfBits,
} from './bitmap.js';
import { isInSlice, slicesOf, UPDATE_SLICES } from './update-period.js';

/** Unless it exists or is begun. Requires `mayWriteBitmaps`: concurrent changes stay marked. */
export async function buildBitmap(transaction: Queryable, term: bigint): Promise<void> {
  const added = await transaction.query(sql`
    insert into bitmap (term) select ${term}::bigint where not exists (select from bitmap_begun where term = ${term}::bigint)
        on conflict do nothing returning term`);
  if (added.length === 0) return;
  await transaction.query(sql`
    insert into bitmap_chunk (term, chunk, bits)
    select ${term}::bigint, ${chunkOfPiece(sql`piece`)}, ${bitsOfPieces(sql`bits`, sql`piece`)}
      from (select ${pieceOf(sql`s.seq`)} as piece, ${pieceOfBits(sql`s.seq`)} as bits from event_search s
             where ${hasBitOf(term)} group by 1) p
     group by 2`);
}

function hasBitOf(term: bigint): Sql {
  if (term === EVERY_TERM) return sql`true`;
  return UPDATE_SLICES.includes(term) ? isInSlice(term, sql`s.updated_at`) : sql`s.terms @> array[${term}::bigint]`;
}

/** Unless they exist; `buildPart` completes them. Requires `mayWriteBitmaps`. */
export async function beginBitmaps(transaction: Queryable, terms: readonly bigint[]): Promise<void> {
  await transaction.query(sql`
    insert into bitmap_begun (term, next_chunk)
    select term, 0 from unnest(${terms}::bigint[]) as wanted (term)
     where not exists (select from bitmap where bitmap.term = wanted.term)
        on conflict do nothing`);
}

/** Some 60,000 records, a few seconds. */
const ROWS_OF_PART = 4;

/** Progress of bitmaps begun together, in rows. */
export interface BuiltPart {
  readonly bitmaps: number;
  readonly done: number;
  readonly of: number;
}

interface NextPart {
  readonly terms: readonly string[];
  readonly first: number;
  readonly end: number;
}

/**
 * Extends the least complete bitmaps; undefined if none is begun. One scan serves all terms: separate ones are slow
 * where the database exceeds memory.
 *
 * Requires `mayWriteBitmaps`, in one transaction, which may be aborted. Concurrent changes are marked for `foldDirty`.
 */
export async function buildPart(transaction: Queryable): Promise<BuiltPart | undefined> {
  const [part] = await transaction.query<NextPart>(sql`
    select array_agg(term::text) as terms, next_chunk as first,
           coalesce((select ${chunkOf(sql`max(seq)`)} + 1 from event_search), 0) as "end"
      from bitmap_begun where next_chunk = (select min(next_chunk) from bitmap_begun) group by next_chunk`);
  if (part === undefined) return undefined;
  const terms = part.terms.map(BigInt);
  const next = part.first + ROWS_OF_PART;
  await transaction.query(sql`
    insert into bitmap_chunk (term, chunk, bits)
    select term, ${chunkOfPiece(sql`piece`)}, ${bitsOfPieces(sql`bits`, sql`piece`)}
      from (select has.term, ${pieceOf(sql`s.seq`)} as piece, ${pieceOfBits(sql`s.seq`)} as bits
              from event_search s cross join lateral unnest(s.terms || ${EVERY_RECORD} || ${slicesOf(sql`s.updated_at`)}) as has (term)
              join unnest(${terms}::bigint[]) as wanted (term) on wanted.term = has.term
             where s.seq >= ${firstOf(sql`${part.first}::bigint`)} and s.seq < ${firstOf(sql`${next}::bigint`)}
             group by 1, 2) p
     group by 1, 2`);
  await transaction.query(
    next < part.end
      ? sql`update bitmap_begun set next_chunk = ${next} where term = any (${terms}::bigint[])`
      : sql`with complete as (delete from bitmap_begun where term = any (${terms}::bigint[]) returning term)
            insert into bitmap (term) select term from complete`,
  );
  return { bitmaps: terms.length, done: Math.min(next, part.end), of: part.end };
}
