import type { RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { SearchRequest, SortValues } from '../../../kernel/domain/search-request.js';
import { all, any, type Sql, sql } from '../../../kernel/sql/sql.js';
import { NO_WORDS } from '../../index/near-words/near-words.js';
import { hasFuzzy } from '../request/has-fuzzy.js';
import { type EditDistanceClass, editDistanceClassesOf } from './edit-distance-classes.js';
import { compileEdits } from './edits.js';
import { comparable, type Order, type OrderKey, type Page } from './order.js';
import { predicateOfQuery, restricted } from './query.js';
import type { Predicate } from './predicate.js';
import type { SearchContext } from './search-context.js';
import { shownBody } from './shown-body.js';
import { compileOrder, compileRelevance, IN_USUAL_ORDER } from './sort.js';

/**
 * Rows after the one with these values (S-15): after it in some key, equal in all keys before. An index can start at
 * the condition on the first key, which comes first.
 */
export function compileAfter(keys: readonly OrderKey[], values: SortValues): Sql {
  if (keys.length !== values.length) throw new Error(`${values.length} values for ${keys.length} keys`);
  const [first, ...rest] = keys.map((key, at) => ({ key, value: values[at] ?? null }));
  if (first === undefined) return sql`false`;
  const after = afterInSome(first, rest);
  return first.value === null || first.key.nullable || rest.length === 0 ? after : all([notBefore(first), after]);
}

interface Place {
  readonly key: OrderKey;
  readonly value: string | null;
}

function afterInSome(first: Place, rest: readonly Place[]): Sql {
  const [next, ...others] = rest;
  const alternatives = [
    ...afterIn(first),
    ...(next === undefined ? [] : [all([equalIn(first), afterInSome(next, others)])]),
  ];
  return any(alternatives);
}

/** Rows without a value come last (S-12). */
function afterIn({ key, value }: Place): readonly Sql[] {
  if (value === null) return [];
  const bound = boundAs(key, value);
  const beyond = key.direction === 'asc' ? sql`${comparable(key)} > ${bound}` : sql`${comparable(key)} < ${bound}`;
  return key.nullable ? [any([beyond, sql`${key.column} is null`])] : [beyond];
}

const equalIn = ({ key, value }: Place): Sql =>
  value === null ? sql`${key.column} is null` : sql`${comparable(key)} = ${boundAs(key, value)}`;

function notBefore({ key, value }: Place): Sql {
  const bound = boundAs(key, value);
  return key.direction === 'asc' ? sql`${comparable(key)} >= ${bound}` : sql`${comparable(key)} <= ${bound}`;
}

function boundAs({ type }: OrderKey, value: string | null): Sql {
  switch (type) {
    case 'text':
      return sql`${value}::text`;
    case 'uuid':
      return sql`${value}::uuid`;
    case 'date':
      return sql`${value}::date`;
    case 'timestamptz':
      return sql`${value}::timestamptz`;
    case 'numeric':
      return sql`${value}::numeric`;
    case 'bigint':
      return sql`${value}::bigint`;
  }
}

interface Meaning {
  readonly matches: Predicate;
  /** For an order by relevance, where terms tell the edits. */
  readonly editDistanceClasses: readonly EditDistanceClass[] | undefined;
  readonly order: Order;
}

export interface CompiledSearch extends Pick<Meaning, 'matches' | 'editDistanceClasses'> {
  readonly page: Page;
}

/** Restricted to records that the caller may see. Never fails. */
export function compileSearch(request: SearchRequest, rowFilter: RowFilter, context: SearchContext): CompiledSearch {
  const { limit, offset, after } = request;
  const { matches, editDistanceClasses, order } = meaningOf(request, rowFilter, context);
  return {
    matches,
    editDistanceClasses,
    page: {
      order,
      limit,
      offset,
      ...(after === undefined ? {} : { after: compileAfter(order.keys, after) }),
      // Nothing is hidden from a caller who sees every record and reads every field.
      shown: rowFilter === 'everything' && context.guard === undefined ? undefined : shownBody(rowFilter, context),
    },
  };
}

/** By relevance if no order was requested and there is a fuzzy condition (S-12). */
function meaningOf({ query, sort }: SearchRequest, rowFilter: RowFilter, context: SearchContext): Meaning {
  const seen = (asked: Predicate): Predicate =>
    rowFilter === 'everything' ? asked : restricted(asked, rowFilter, context);
  const matches = seen(predicateOfQuery(query, context));
  if (sort.length > 0) return { matches, editDistanceClasses: undefined, order: compileOrder(sort, context.guard) };
  if (context.dictionary === NO_WORDS || !hasFuzzy(query))
    return { matches, editDistanceClasses: undefined, order: IN_USUAL_ORDER };
  const editDistanceClasses = editDistanceClassesOf(query, context);
  return editDistanceClasses === undefined
    ? { matches, editDistanceClasses, order: compileRelevance(compileEdits(query, context)) }
    : {
        matches,
        editDistanceClasses: editDistanceClasses.map((one) => ({ ...one, matches: seen(one.matches) })),
        order: compileRelevance(),
      };
}
