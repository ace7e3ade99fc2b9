import { Sql, sql } from '../../../kernel/sql/sql.js';

/**
 * When records were last updated, in bitmaps: a bit-sliced index (O'Neil and Quass, 1997). Time is cut into 4,096
 * periods of 2^20 seconds, some twelve days, the first of which ends in January 2000 and the last in 2136; what is
 * earlier or later is in the first or last. The number of a record's period has twelve bits, and each bit has a bitmap,
 * a slice, with the records in whose number it is set. The newest of any records are then found without reading one:
 * slice by slice, from the highest.
 *
 * An update writes some four rows of bits, and none as long as its record stays in its period. Finer periods would cost
 * updates more; within one, an index has the records in order.
 */
const SLICES = 12;
const PERIOD_SECONDS = 2 ** 20;

/** The number of the first period, counted from 1970: that of 1999-12-21. */
const FIRST_PERIOD = 902;

/** In the text of a statement, as PostgreSQL keeps plans of those whose values it need not see. */
const HIGHEST_SLICE = Sql.of([`-${SLICES}::bigint`], []);

/** The first period and the last, which have no end on one side. */
const [OLDEST, NEWEST] = [0, 2 ** SLICES - 1];

/** The slice with a bit of the number of the period: it is kept as the bitmap of this term. */
export const sliceOf = (bit: Sql): Sql => sql`(-1 - ${bit})::bigint`;

/** The slices, from the lowest. No term has such a hash: see `HashedPrefix`. */
export const UPDATE_SLICES: readonly bigint[] = Array.from({ length: SLICES }, (_, bit) => BigInt(-1 - bit));

/** Whether every slice is among the bitmaps that there are: without one of them the others say nothing. */
export const hasEverySlice = (tracked: ReadonlySet<bigint>): boolean =>
  UPDATE_SLICES.every((slice) => tracked.has(slice));

/** The number of the period of a time in seconds since 1970. */
export const periodAt = (seconds: number): number =>
  Math.min(Math.max(Math.floor(seconds / PERIOD_SECONDS) - FIRST_PERIOD, OLDEST), NEWEST);

/** The slices in which the record with this period has its bit. */
export const slicesIn = (period: number): readonly bigint[] =>
  UPDATE_SLICES.filter((_, bit) => ((period >> bit) & 1) === 1);

/** When a period begins. */
export const startOf = (period: Sql): Sql =>
  sql`(case when ${period} <= ${OLDEST}::int then '-infinity' when ${period} > ${NEWEST}::int then 'infinity' else to_timestamp((${period} + ${FIRST_PERIOD}::int)::float8 * ${PERIOD_SECONDS}::int) end)`;

/** The number of the period; NULL where the time is, which `greatest` would pass over. */
const periodOf = (updatedAt: Sql): Sql =>
  sql`(case when ${updatedAt} is not null then least(greatest(floor(extract(epoch from ${updatedAt}) / ${PERIOD_SECONDS}::int) - ${FIRST_PERIOD}::int, ${OLDEST}::int), ${NEWEST}::int) end)::int`;

/** Whether the two are in one period; NULL where one of them is. */
export const areInOnePeriod = (a: Sql, b: Sql): Sql => sql`${periodOf(a)} = ${periodOf(b)}`;

/** The slices in which a record that was last updated then has its bit. */
export const slicesOf = (updatedAt: Sql): Sql =>
  sql`array(select ${sliceOf(sql`bit`)} from generate_series(0, ${SLICES - 1}::int) bit where (${periodOf(updatedAt)} >> bit) & 1 = 1)`;

/** Whether a record that was last updated then has the bit of a slice. */
export const isInSlice = (slice: bigint, updatedAt: Sql): Sql =>
  sql`(${periodOf(updatedAt)} >> ${Number(-1n - slice)}::int) & 1 = 1`;

/** The highest bit that is set in the period of any record, -1 if none is: a scalar. */
export const highestSlice = sql`coalesce((select -1 - min(term) from bitmap_chunk where term between ${HIGHEST_SLICE} and -1), -1)::int`;
