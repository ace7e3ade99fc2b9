import { Sql, sql } from '../../../kernel/sql/sql.js';

/**
 * Update times as a bit-sliced index (O'Neil and Quass, 1997): 4,096 periods of 2^20 seconds (12 days), January 2000 to
 * 2136, the ends open. Each of the number's twelve bits has a bitmap, a slice. Slices from the highest yield the newest
 * records.
 *
 * An update writes some four rows of bits, none within its period. An index orders the records of a period.
 */
const SLICES = 12;
const PERIOD_SECONDS = 2 ** 20;

/** Counted from 1970: the period of 1999-12-21. */
const FIRST_PERIOD = 902;

/** A literal, so that PostgreSQL can cache the plan. */
const HIGHEST_SLICE = Sql.of([`-${SLICES}::bigint`], []);

/** Both are open-ended. */
const [OLDEST, NEWEST] = [0, 2 ** SLICES - 1];

/** The pseudo-term of the slice. */
export const sliceOf = (bit: Sql): Sql => sql`(-1 - ${bit})::bigint`;

/** Lowest first. No term has such a hash: see `HashedPrefix`. */
export const UPDATE_SLICES: readonly bigint[] = Array.from({ length: SLICES }, (_, bit) => BigInt(-1 - bit));

/** Slices are usable only together. */
export const hasEverySlice = (tracked: ReadonlySet<bigint>): boolean =>
  UPDATE_SLICES.every((slice) => tracked.has(slice));

/** `seconds` since 1970. */
export const periodAt = (seconds: number): number =>
  Math.min(Math.max(Math.floor(seconds / PERIOD_SECONDS) - FIRST_PERIOD, OLDEST), NEWEST);

export const slicesIn = (period: number): readonly bigint[] =>
  UPDATE_SLICES.filter((_, bit) => ((period >> bit) & 1) === 1);

export const startOf = (period: Sql): Sql =>
  sql`(case when ${period} <= ${OLDEST}::int then '-infinity' when ${period} > ${NEWEST}::int then 'infinity' else to_timestamp((${period} + ${FIRST_PERIOD}::int)::float8 * ${PERIOD_SECONDS}::int) end)`;

/** NULL for NULL, which `greatest` would ignore. */
const periodOf = (updatedAt: Sql): Sql =>
  sql`(case when ${updatedAt} is not null then least(greatest(floor(extract(epoch from ${updatedAt}) / ${PERIOD_SECONDS}::int) - ${FIRST_PERIOD}::int, ${OLDEST}::int), ${NEWEST}::int) end)::int`;

/** NULL if one of them is. */
export const areInOnePeriod = (a: Sql, b: Sql): Sql => sql`${periodOf(a)} = ${periodOf(b)}`;

export const slicesOf = (updatedAt: Sql): Sql =>
  sql`array(select ${sliceOf(sql`bit`)} from generate_series(0, ${SLICES - 1}::int) bit where (${periodOf(updatedAt)} >> bit) & 1 = 1)`;

export const isInSlice = (slice: bigint, updatedAt: Sql): Sql =>
  sql`(${periodOf(updatedAt)} >> ${Number(-1n - slice)}::int) & 1 = 1`;

/** A scalar, -1 if none. */
export const highestSlice = sql`coalesce((select -1 - min(term) from bitmap_chunk where term between ${HIGHEST_SLICE} and -1), -1)::int`;
