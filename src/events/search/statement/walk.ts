import { Sql, sql, unseen } from '../../../kernel/sql/sql.js';
import { ENTRIES_FOR_A_MATCH } from '../plan/plan.js';
import type { Page } from '../predicate/page.js';
import type { CountedByBitmaps } from './bitmap-total.js';
import { bodyOf, type PageRows } from './page.js';

/** Matches can be anywhere in the order. */
export interface WalkBounds {
  /** A factor of the expected length. */
  readonly slack: number;
  /** In entries, in addition. A shorter walk is always made. */
  readonly least: number;
}

export interface Known {
  readonly records: number;
  readonly total: Sql;
  readonly bounds: WalkBounds;
}

/** For matches that are not rare. It has too few rows if the first `most` rows of the walk have no more. */
export const walkedRows = (filter: Sql, page: Page, most: number): PageRows =>
  rowsOfWalk(sql`*`, filter, page, sql`${most}::bigint`);

/** The entries that are passed in the time in which so many matches are found otherwise. */
export const mostEntries = (total: Sql, { least }: WalkBounds): Sql =>
  sql`greatest(${ENTRIES_FOR_A_MATCH}::int * ${total}, ${least}::bigint)`;

/** With fewer matches, the first quarter of a walk is not significant. */
const TELLING = 60;

/**
 * On an index with all columns of the order; bitmaps tell the matches. No row if finding all matches is expected to be
 * faster. No row if the first quarter of the walk has under a quarter of its expected matches.
 */
export function walkedEntries({ isMatch }: CountedByBitmaps, page: Page, { records, total, bounds }: Known): PageRows {
  const { slack, least } = bounds;
  const wanted = page.offset + page.limit;
  const filter = isMatch(sql`s.seq`);
  const expected = sql`(${wanted * records}::float8 / greatest(${total}, 1)::float8)`;
  const quarter = walk(sql`seq`, page, sql`(select ceil(${expected} / 4)::bigint)`);
  const tooFew = sql`(select count(*) from (${quarter}) s where ${filter}) < ${Math.floor(wanted / 16)}::bigint`;
  const most = sql`(select case
      when ${expected} > ${mostEntries(total, bounds)}::float8 then 0
      ${wanted < TELLING ? sql`` : sql`when ${expected} > ${least}::bigint and ${tooFew} then 0\n      `}else ${least}::bigint + ceil(${slack}::float8 * ${expected})::bigint end)`;
  return rowsOfWalk(sql`seq, id, updated_at`, filter, page, most);
}

const walk = (columns: Sql, { after, order }: Page, most: Sql): Sql =>
  sql`select ${columns} from event_search${after === undefined ? sql`` : sql` where ${after}`} order by ${order.by} limit ${most}`;

function rowsOfWalk(columns: Sql, filter: Sql, page: Page, most: Sql): PageRows {
  const { order, limit, offset } = page;
  return {
    select: sql`select s.seq, ${Sql.join(order.columns, ', ')} from (${walk(columns, page, most)}) s where ${filter} order by ${order.by} limit ${unseen(sql`${limit}::bigint`)} offset ${unseen(sql`${offset}::bigint`)}`,
    body: bodyOf,
  };
}
