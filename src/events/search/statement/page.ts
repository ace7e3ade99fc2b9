import { KIB } from '../../../kernel/domain/bytes.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { Sql, sql, unseen } from '../../../kernel/sql/sql.js';
import { REQUIRE_DERIVED_VERSION } from '../../../platform/database/connection/derived-version.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { isUncountable } from '../../index/terms/terms.js';
import { estimate, likely, type Setting } from '../plan/plan.js';
import {
  allFound,
  anyFound,
  compileLookUp,
  countGroups,
  type DataLeaf,
  either,
  foundBy,
  foundByLeaf,
  foundByTerms,
  isCostlyToRecheck,
  onlyTerm,
  type RowSource,
  withCandidateTerms,
} from '../predicate/candidate-terms.js';
import { type CompiledSearch, shownBody, STORED_BODY } from '../predicate/compile-search.js';
import { compileFilter, leavesOf, type Predicate, type RowLeaf } from '../predicate/predicate.js';
import { predicateOfMatches } from '../predicate/query.js';
import { compileOrder, type Order, type Page } from '../predicate/sort.js';
import type { ExportRequest } from '../request/parse-search-request.js';

/** Rows for ordering; uses indexes as far as possible. */
export function compileMatches(
  { matches, editDistanceClasses, page }: CompiledSearch,
  cardinalities: Cardinalities,
): Sql {
  const { columns } = page.order;
  if (editDistanceClasses === undefined) return select(columns, compileIndexed(matches, cardinalities));
  const classes = editDistanceClasses.map((one) =>
    select([...columns, sql`${one.edits}::int as edits`], compileIndexed(one.matches, cardinalities)),
  );
  const [only, ...others] = classes;
  if (only !== undefined && others.length === 0) return only;
  return sql`select seq, id, updated_at, min(edits) as edits from (
    ${Sql.join(classes, '\n    union all ')}
  ) banded group by seq, id, updated_at`;
}

const select = (columns: readonly Sql[], where: Sql): Sql =>
  sql`select ${Sql.join([sql`s.seq`, ...columns], ', ')} from event_search s where ${where}`;

/**
 * In one snapshot (S-5). Rows are the page in order; an empty page is one row with a null `body`. Fails if the derived
 * data has a different version (Q-5).
 *
 * The matches are found first (`materialized`): otherwise the planner would walk an index in sort order. Documents are
 * read only for the page.
 */
export function compileSingleStatement(search: CompiledSearch, cardinalities: Cardinalities): Sql {
  const { page } = search;
  if (page.limit === 0) {
    // No column is selected: PostgreSQL (to 17) then skips pages that are visible to all transactions.
    return sql`select counted.total, null as body, null as sort_values, ${REQUIRE_DERIVED_VERSION} as is_ours
from (select count(*) as total from (${compileMatches(search, cardinalities)}) matched) counted`;
  }
  return sql`${matched(compileMatches(search, cardinalities))}, page as (
  ${cut(sql`select * from matched`, page)}
)
select counted.total, ${bodyOf(page)}, ${sortValues(page.order)}, ${REQUIRE_DERIVED_VERSION} as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by ${page.order.by}`;
}

/** Rows `{body, sort_values}` in order. */
export const compilePage = (matches: Sql, page: Page): Sql => sql`${matched(matches)}
${compileRows({ select: cut(sql`select * from matched`, page), body: bodyOf }, page)}`;

/** Cut to the page's limit. */
export interface PageRows {
  readonly select: Sql;
  readonly body: (page: Page) => Sql;
}

/** Rows `{body, sort_values}` in order. */
export const compileRows = (
  { select, body }: PageRows,
  page: Page,
): Sql => sql`select ${body(page)}, ${sortValues(page.order)}
from (${select}) page
order by ${page.order.by}`;

/** For matches that one index has in order: only the rows of the page are read. */
export function sortedRows(matches: Sql, { after, order, limit, offset }: Page): PageRows {
  const conditions = after === undefined ? matches : sql`${matches} and ${after}`;
  return {
    select: sql`select ${Sql.join(order.columns, ', ')} from event_search s where ${conditions} order by ${order.by} limit ${unseen(sql`${limit}::bigint`)} offset ${unseen(sql`${offset}::bigint`)}`,
    body: ({ idsAlone, longest, shown = STORED_BODY }) =>
      idsAlone === true
        ? ID
        : sql`(select ${unlessLong(shown, longest)} from event_search s join event_document d using (seq) where s.id = page.id) as body`,
  };
}

/**
 * For matches that are not rare, by walking along an index. It has too few rows if the first `most` rows of the walk
 * have no more.
 */
export function walkedRows(filter: Sql, { after, order, limit, offset }: Page, most: number): PageRows {
  const walk = sql`select * from event_search${after === undefined ? sql`` : sql` where ${after}`} order by ${order.by} limit ${most}::bigint`;
  return {
    select: sql`select s.seq, ${Sql.join(order.columns, ', ')} from (${walk}) s where ${filter} order by ${order.by} limit ${unseen(sql`${limit}::bigint`)} offset ${unseen(sql`${offset}::bigint`)}`,
    body: bodyOf,
  };
}

const matched = (matches: Sql): Sql => sql`with matched as materialized (
  ${matches}
)`;

function cut(rows: Sql, { order, limit, offset, after }: Page): Sql {
  const left = after === undefined ? rows : sql`select * from (${rows}) r where ${after}`;
  return sql`${left} order by ${order.by} limit ${limit}::bigint offset ${offset}::bigint`;
}

const bodyOf = (page: Page): Sql => (page.idsAlone === true ? ID : bodyAt(sql`page.seq`, page));

/** One look-up for each record, whatever the planner estimates. */
function bodyAt(seq: Sql, { shown, longest }: Pick<Page, 'shown' | 'longest'>): Sql {
  const from = shown === undefined ? sql`event_document d` : sql`event_search s join event_document d using (seq)`;
  return sql`(select ${unlessLong(shown ?? STORED_BODY, longest)} from ${from} where d.seq = ${seq}) as body`;
}

/** Limits stored texts that are read together; the answer is about half of one. */
export const LONGEST_TOGETHER = 64 * KIB;

/** A row `{id, body}`. */
export const compileBody = (id: string, shown = STORED_BODY): Sql =>
  sql`select s.id, ${shown} as body from event_search s join event_document d using (seq) where s.id = ${id}::uuid`;

/** PostgreSQL knows the length of a text without reading it. */
export const unlessLong = (body: Sql, longest: number | undefined): Sql =>
  longest === undefined ? body : sql`case when octet_length(d.body) <= ${longest}::int then ${body} else '' end`;

const ID = sql`page.id::text as body`;

const sortValues = ({ values }: Order): Sql => sql`${values} as sort_values`;

export type Exported = Omit<ExportRequest, 'query'> & Partial<Pick<ExportRequest, 'query'>>;

export interface CompiledExport {
  /** Rows `{id, body}` in order; a body longer than `LONGEST_TOGETHER` is empty. */
  readonly statement: Sql;
  /** See `Page`. */
  readonly shown: Sql | undefined;
}

/** Restricted to what the caller may see (A-10). */
export function compileExport(
  { query, sort, limit }: Exported,
  { rowFilter, context, cardinalities }: Setting,
): CompiledExport {
  const matches =
    query === undefined ? sql`true` : compileIndexed(predicateOfMatches(query, rowFilter, context), cardinalities);
  const shown = shownBody(rowFilter, context);
  const most = limit === undefined ? sql`` : sql` limit ${limit}::bigint`;
  if (sort.length === 0) {
    const statement = sql`select s.id, ${unlessLong(shown ?? STORED_BODY, LONGEST_TOGETHER)} as body
from event_search s join event_document d using (seq)
where ${matches}
order by s.seq${most}`;
    return { statement, shown };
  }
  const order = compileOrder(sort, context.guard);
  const statement = sql`select id, ${bodyAt(sql`exported.seq`, { shown, longest: LONGEST_TOGETHER })}
from (select s.seq, ${Sql.join(order.columns, ', ')} from event_search s where ${matches}) exported
order by ${order.by}${most}`;
  return { statement, shown };
}

/** In an AND, an index for a condition this many times as frequent as another does not pay. */
const MUCH_MORE_FREQUENT = 20;

/** For a long list: comparing a row with it takes about four times as long as finding one. */
const MORE_FREQUENT = 4;

/**
 * PostgreSQL decides how a condition this many times as frequent as a list is compared. A list may be far shorter than
 * estimated.
 */
const MORE_THAN_LISTED = 2;

/** Comparing a row with this many groups takes as long as with a long list. */
const GROUPS_AS_LIST = 20;

/** Reading fewer records costs less than the choice can save. */
const FEW = 50;

/**
 * The most selective condition of every AND drives, together with those about as selective. No index serves the others:
 * reading a long posting list costs more than checking the remaining rows.
 */
export function compileIndexed(predicate: Predicate, cardinalities: Cardinalities): Sql {
  const term = predicate.kind === 'data' ? termToLookUp(predicate, cardinalities) : undefined;
  return predicate.kind === 'data' && term !== undefined
    ? compileLookUp(predicate, term)
    : foundByPart(predicate, cardinalities).condition;
}

/** More frequent terms, one record in this many, are worth a plan of their own. */
const WORTH_A_PLAN = 1_000;

/** For a condition that one rare term finds and a recheck decides, such as a number. */
function termToLookUp({ candidateTerms, rest }: DataLeaf, cardinalities: Cardinalities): bigint | undefined {
  const term = rest === undefined ? undefined : onlyTerm(candidateTerms);
  if (term === undefined || !isUncountable(term)) return undefined;
  return WORTH_A_PLAN * cardinalities.ofTerm(term) <= cardinalities.records ? term : undefined;
}

function foundByPart(predicate: Predicate, cardinalities: Cardinalities): RowSource {
  switch (predicate.kind) {
    case 'all':
      return foundByAll(predicate.parts, cardinalities);
    case 'any':
      return predicate.isFindable ? foundByAny(predicate.parts, cardinalities) : foundBy(compileFilter(predicate));
    case 'not':
      return foundBy(compileFilter(predicate));
    case 'row':
      return predicate.isIndexed
        ? foundBy(predicate.condition)
        : withCandidateTerms(predicate.candidateTerms, predicate.condition);
    case 'data':
      return foundByLeaf(predicate);
    default:
      return absurd(predicate);
  }
}

/** Alternatives of terms alone are looked up together. */
function foundByAny(parts: readonly Predicate[], cardinalities: Cardinalities): RowSource {
  const ofTerms = parts.filter(isOfTermsAlone);
  const others = parts.filter((part) => !isOfTermsAlone(part)).map((part) => foundByPart(part, cardinalities));
  if (ofTerms.length === 0) return anyFound(others, parts.some(isCostly));
  const together = foundByTerms(either(ofTerms.map(({ candidateTerms }) => candidateTerms)));
  return others.length === 0 ? together : anyFound([together, ...others], parts.some(isCostly));
}

const isOfTermsAlone = (part: Predicate): part is DataLeaf => part.kind === 'data' && part.rest === undefined;

interface Weighed {
  readonly part: Predicate;
  readonly size: number;
}

function foundByAll(parts: readonly Predicate[], cardinalities: Cardinalities): RowSource {
  const sizes = likely(cardinalities);
  const weighed = parts.map((part): Weighed => ({ part, size: estimate(part, sizes) }));
  const driver = leastOf(weighed.filter(({ part }) => part.isFindable));
  const least = Math.max(driver?.size ?? 0, FEW);
  const narrows = (one: Weighed, times: number): boolean => one === driver || one.size <= times * least;
  // Too frequent conditions are not compiled: otherwise a tree is compiled once for each level.
  const found = weighed.map((one) => {
    const { part } = one;
    const most = Math.max(MUCH_MORE_FREQUENT, timesMoreFrequent(part));
    const source = part.isFindable && narrows(one, most) ? foundByPart(part, cardinalities) : undefined;
    const isWorth = narrows(one, source?.kind === 'list' ? timesMoreFrequent(part) : MUCH_MORE_FREQUENT);
    return {
      ...one,
      source: isWorth ? source : undefined,
      together: one === driver ? undefined : foundWith(part, driver?.part),
    };
  });
  const shortest = leastOf(found.filter(({ source }) => source?.kind === 'list'));
  return allFound(
    found.map(({ part, size, source, together }) => {
      if (together !== undefined) return together;
      if (source === undefined) return foundBy(compileFilter(part));
      return shortest !== undefined && size > MORE_THAN_LISTED * shortest.size && source.kind === 'condition'
        ? foundBy(source.condition)
        : source;
    }),
  );
}

const leastOf = <T extends { readonly size: number }>(weighed: readonly T[]): T | undefined =>
  weighed.reduce<T | undefined>(
    (least, one) => (least === undefined || one.size < least.size ? one : least),
    undefined,
  );

/** Defined where the index of `driver` also finds the matches of `part`, however frequent. */
const foundWith = (part: Predicate, driver: Predicate | undefined): RowSource | undefined =>
  part.kind === 'row' && driver !== undefined && isInIndexOf(part, driver) ? foundBy(part.condition) : undefined;

const isInIndexOf = (part: RowLeaf, driver: Predicate): boolean =>
  driver.kind === 'row' &&
  driver.index === 'composite' &&
  (part.index === 'composite' || part.index === 'in composite');

/** A list this many times as frequent as the rarest condition is compared with its records. */
function timesMoreFrequent(list: Predicate): number {
  const groups = leavesOf(list).reduce((sum, { candidateTerms }) => sum + countGroups(candidateTerms), 0);
  return MORE_FREQUENT * Math.max(1, groups / GROUPS_AS_LIST);
}

/** Checking a row compares many terms. */
const isCostly = (predicate: Predicate): boolean =>
  leavesOf(predicate).some(({ candidateTerms }) => isCostlyToRecheck(candidateTerms));
