import { Sql, sql } from '../../../kernel/sql/sql.js';

/**
 * When records were last updated, as a bit-sliced index (O'Neil and Quass, 1997). Time is cut into 4,096 periods of
 * 2^20 seconds (12 days), from January 2000 to 2136; the first and last are open-ended. Each of the twelve bits of the
 * period number has a bitmap, a slice. The newest records are found slice by slice, from the highest.
 *
 * An update writes some four rows of bits, and none while its record stays in its period: finer periods would cost
 * more. Within a period an index orders the records.
 */
const SLICES = 12;
const PERIOD_SECONDS = 2 ** 20;

/** Counted from 1970: the period of 1999-12-21. */
const FIRST_PERIOD = 902;

/** A literal, so that PostgreSQL can cache the plan. */
const HIGHEST_SLICE = Sql.of([`-${SLICES}::bigint`], []);

/** The first and the last period are open-ended. */
const [OLDEST, NEWEST] = [0, 2 ** SLICES - 1];

/** The pseudo-term under which the slice of a bit is stored. */
export const sliceOf = (bit: Sql): Sql => sql`(-1 - ${bit})::bigint`;

/** From the lowest. No term has such a hash: see `HashedPrefix`. */
export const UPDATE_SLICES: readonly bigint[] = Array.from({ length: SLICES }, (_, bit) => BigInt(-1 - bit));

/** The slices are usable only if all of them exist. */
export const hasEverySlice = (tracked: ReadonlySet<bigint>): boolean =>
  UPDATE_SLICES.every((slice) => tracked.has(slice));

/** `seconds` since 1970. */
export const periodAt = (seconds: number): number =>
  Math.min(Math.max(Math.floor(seconds / PERIOD_SECONDS) - FIRST_PERIOD, OLDEST), NEWEST);

export const slicesIn = (period: number): readonly bigint[] =>
  UPDATE_SLICES.filter((_, bit) => ((period >> bit) & 1) === 1);

export const startOf = (period: Sql): Sql =>
  sql`(case when ${period} <= ${OLDEST}::int then '-infinity' when ${period} > ${NEWEST}::int then 'infinity' else to_timestamp((${period} + ${FIRST_PERIOD}::int)::float8 * ${PERIOD_SECONDS}::int) end)`;

/** NULL if the time is NULL, which `greatest` would ignore. */
const periodOf = (updatedAt: Sql): Sql =>
  sql`(case when ${updatedAt} is not null then least(greatest(floor(extract(epoch from ${updatedAt}) / ${PERIOD_SECONDS}::int) - ${FIRST_PERIOD}::int, ${OLDEST}::int), ${NEWEST}::int) end)::int`;

/** NULL if one of them is. */
export const areInOnePeriod = (a: Sql, b: Sql): Sql => sql`${periodOf(a)} = ${periodOf(b)}`;

export const slicesOf = (updatedAt: Sql): Sql =>
  sql`array(select ${sliceOf(sql`bit`)} from generate_series(0, ${SLICES - 1}::int) bit where (${periodOf(updatedAt)} >> bit) & 1 = 1)`;

export const isInSlice = (slice: bigint, updatedAt: Sql): Sql =>
  sql`(${periodOf(updatedAt)} >> ${Number(-1n - slice)}::int) & 1 = 1`;

/** A scalar: the highest bit set in the period of any record, -1 if none. */
export const highestSlice = sql`coalesce((select -1 - min(term) from bitmap_chunk where term between ${HIGHEST_SLICE} and -1), -1)::int`;
