import type { RecordOptions, RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { SearchRequest, SortValues } from '../../../kernel/domain/search-request.js';
import { type CopyName, typesWithCopy } from '../../../kernel/domain/secured-fields.js';
import { all, any, Sql, sql } from '../../../kernel/sql/sql.js';
import { NO_WORDS } from '../../index/terms/near-words.js';
import { answerIn } from '../../index/values/document.js';
import { hasFuzzy } from '../request/parse-search-request.js';
import type { Guard } from '../request/refuse-secured.js';
import { compileRecheck, type Predicate } from './predicate.js';
import { compileEdits, type EditDistanceClass, editDistanceClassesOf } from './edits.js';
import { isUnreadOf, predicateOfQuery, restricted } from './query.js';
import { predicateOfRowFilter, scopesThatHide } from './row-filter.js';
import type { SearchContext } from './search-context.js';
import {
  comparable,
  compileOrder,
  compileRelevance,
  IN_USUAL_ORDER,
  type Order,
  type OrderKey,
  type Page,
} from './sort.js';

/**
 * Needs `d`, a row of `event_document`, and its row `s` of `event_search`; undefined if all are shown as stored.
 *
 * - Without `record.read`, the secured fields are left out, and `dateOfEvent` and `placeOfEvent` are null where they are
 *   copies of one (E-10).
 * - `potentialDuplicates` lists only existing records that the caller may know of (E-9): an entry would reveal a sealed
 *   record, or one of another office.
 */
export function shownBody(
  rowFilter: RowFilter,
  { guard, naming }: Pick<SearchContext, 'guard' | 'naming'>,
): Sql | undefined {
  const admitting = scopesThatHide(rowFilter) ?? naming;
  if (guard === undefined && admitting === undefined) return undefined;
  const isUnread = guard === undefined ? sql`false` : isUnreadOf([...guard.secured.keys()], guard);
  const isListed = admitting === undefined ? sql`false` : sql`${LISTED} <> '[]'`;
  return sql`(select case when not unread and not listed then ${STORED_BODY} else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        ${guard === undefined ? sql`` : securedMembers(guard)}${admitting === undefined ? sql`` : duplicates(admitting)}else value::text end, ',' order by at) || '}'
      from json_each(${STORED_BODY}::json) with ordinality as member (key, value, at)) end
    from (select ${isUnread} as unread, ${isListed} as listed offset 0) as withheld)`;
}

export const STORED_BODY = answerIn(sql`d.body`);

/** The key precedes all client text, and cannot occur inside a text, where quotes are escaped. */
const KEY = '"potentialDuplicates":';
const LISTED = sql`substr(d.body, strpos(d.body, ${KEY}::text) + ${KEY.length}::int, 2)`;

const securedMembers = ({ secured }: Guard): Sql => {
  const ofType = [...secured].map(([type, { fieldIds }]) => sql`when ${type}::text then ${[...fieldIds]}::text[]`);
  return sql`when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type ${Sql.join(ofType, ' ')} end))
        ${copied(secured, 'dateOfEvent')}${copied(secured, 'placeOfEvent')}`;
};

const copied = (secured: Guard['secured'], copy: CopyName): Sql => {
  const types = typesWithCopy(secured, copy);
  return types.length === 0
    ? sql``
    : sql`when key = ${copy}::text and unread and s.type = any(${types}::text[]) then 'null'
        `;
};

const duplicates = (admitting: readonly RecordOptions[]): Sql =>
  sql`when key = 'potentialDuplicates' and listed then (
          select '[' || coalesce(string_agg(entry::text, ',' order by place), '') || ']'
          from json_array_elements(value) with ordinality as duplicate (entry, place)
          where exists (select from event_search s where s.id = (entry ->> 'id')::uuid and ${compileRecheck(predicateOfRowFilter(admitting))}))
        `;

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
