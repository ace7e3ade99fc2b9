import { REQUIRE_DERIVED_VERSION } from '../../database/derived-version.js';
import { Sql, sql } from '../../sql/sql.js';
import type { Order } from '../predicate/order/order.js';
import { orderBy } from '../predicate/order/order.js';
import { compileSortValues } from '../predicate/order/sort-values.js';
import type { Page } from '../predicate/page.js';
import type { Proof } from '../predicate/proof.js';
import { compileProof, isEmpty } from '../predicate/proof.js';

/**
 * Page and total in one statement, hence of one snapshot (S-5). Its rows are the page in order: `total` is the exact number
 * of matches, `body` a record's answer, `sort_values` what it is ordered by, as texts. An empty page is one row with a null
 * `body`, so that the total is there all the same. Where there is a proof to ask for, `proven` is whether it holds. Fails
 * where what is derived is of another version (Q-5).
 *
 * The `matches`, as `compileMatches` selects them, are found first (`materialized`), then ordered and cut as narrow rows; documents are read for the page
 * alone. Left to itself the planner would walk an index in sort order in the hope of meeting a page of matches.
 */
export const compilePageAndTotal = (matches: Sql, proof: Proof, page: Page): Sql => sql`${matched(matches)}, page as (
  ${cut(sql`select * from matched`, page)}
)
select counted.total, ${isEmpty(proof) ? sql`` : sql`${compileProof(proof)} as proven, `}${bodyOf(page)}, ${sortValues(page.order)}, ${REQUIRE_DERIVED_VERSION} as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by ${orderBy(page.order.keys)}`;

/** The page alone: rows `{body, sort_values}` in order. */
export const compilePage = (matches: Sql, page: Page): Sql => sql`${matched(matches)}
${bodies(cut(sql`select * from matched`, page), page)}`;

/**
 * The page by a walk along the index that has the order, which ends when the page is full: for matches that are not rare.
 * Rows `{body, sort_values}` in order, fewer than there are when the first `most` rows of the walk hold no more.
 */
export function compileWalk(filter: Sql, { after, ...page }: Page, most: number): Sql {
  const begin = after === undefined ? sql`` : sql` where ${after}`;
  const rows = sql`select * from event_search${begin} order by ${orderBy(page.order.keys)} limit ${most}::bigint`;
  return bodies(
    cut(sql`select s.seq, ${Sql.join(page.order.columns, ', ')} from (${rows}) s where ${filter}`, page),
    page,
  );
}

/** The page of matches that one index has in order: at any depth without a look at more rows than it has. */
export const compileSortedPage = (matches: Sql, { after, order, limit, offset, idsAlone }: Page): Sql => {
  const conditions = after === undefined ? matches : sql`${matches} and ${after}`;
  const body = sql`(select d.body from event_search s join event_document d using (seq) where s.id = page.id) as body`;
  return sql`select ${idsAlone === true ? ID : body}, ${sortValues(order)}
from (select s.id, s.updated_at from event_search s where ${conditions} order by ${orderBy(order.keys)} limit ${limit}::bigint offset ${offset}::bigint) page
order by ${orderBy(order.keys)}`;
};

const matched = (matches: Sql): Sql => sql`with matched as materialized (
  ${matches}
)`;

/** The rows of a select in order, from the offset on, as many as the limit says. */
function cut(rows: Sql, { order, limit, offset, after }: Page): Sql {
  const left = after === undefined ? rows : sql`select * from (${rows}) r where ${after}`;
  return sql`${left} order by ${orderBy(order.keys)} limit ${limit}::bigint offset ${offset}::bigint`;
}

const bodies = (rows: Sql, page: Page): Sql => sql`select ${bodyOf(page)}, ${sortValues(page.order)}
from (${rows}) page
order by ${orderBy(page.order.keys)}`;

const bodyOf = ({ idsAlone }: Page): Sql => (idsAlone === true ? ID : BODY);

/** A look-up for each row, whatever the planner thinks their number is. */
const BODY = sql`(select d.body from event_document d where d.seq = page.seq) as body`;

const ID = sql`page.id::text as body`;

const sortValues = ({ keys }: Order): Sql => sql`${compileSortValues(keys)} as sort_values`;
