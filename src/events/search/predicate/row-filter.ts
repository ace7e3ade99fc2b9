import { DAY_MS } from '../../../kernel/domain/calendar.js';
import { ASSUMED_USER_TYPE, type Somebody } from '../../../kernel/domain/event-record.js';
import { RECORD_COLUMNS, type RecordColumn } from '../../../kernel/domain/record-columns.js';
import type { RecordOptions, RowFilter } from '../../../kernel/domain/scopes/caller.js';
import { PLACE_OPTIONS, type PlaceOption } from '../../../kernel/domain/scopes/scope.js';
import type { Condition, DateCondition, InstantField, TextField } from '../../../kernel/domain/search-request.js';
import { byColumn, SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import { parseUuid, type Uuid } from '../../../kernel/domain/uuid.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { identifier, isOneOf, sql, type Sql } from '../../../kernel/sql/sql.js';
import type { PlaceColumn } from '../../index/searched-columns.js';
import type { Terms } from '../../index/terms/terms.js';
import { beforeMsOf, fromMsOf, type Interval } from '../request/interval-of-term.js';
import { allOf, someOf } from './candidate-terms.js';
import {
  allOfParts,
  anyOfParts,
  negated,
  type Predicate,
  type RowCondition,
  rowLeaf,
  WITHOUT_TERMS,
} from './predicate.js';
import type { SearchContext } from './search-context.js';

const COLUMNS = Object.values(RECORD_COLUMNS);

/** The single-valued columns of a row `s` of `event_search`. */
export const ROW_COLUMNS = byColumn(COLUMNS, ({ column }) => identifier(`s.${column}`));

export const UNQUALIFIED_COLUMNS = byColumn(COLUMNS, ({ column }) => identifier(column));

/** S-8. */
export function predicateOfInstant(field: InstantField, condition: DateCondition, context: SearchContext): Predicate {
  const { column: name } = SEARCHED_FIELDS[field];
  const column = ROW_COLUMNS[name];
  const { fromMs, beforeMs } = intervalOfCondition(condition, {
    nowMs: context.now.getTime(),
    timezone: context.timezone,
  });
  return rowLeaf({
    condition: sql`(${column} >= ${toTimestamp(fromMs)}::timestamptz and ${column} < ${toTimestamp(beforeMs)}::timestamptz)`,
    ...WITHOUT_TERMS,
    index: 'own',
    cardinality: { by: 'instants', column: name, fromMs, beforeMs },
  });
}

/** A period ends at `nowMs` (S-8). */
export function intervalOfCondition(
  condition: DateCondition,
  { nowMs, timezone }: { readonly nowMs: number; readonly timezone: string },
): Interval {
  switch (condition.type) {
    case 'exact':
      return { fromMs: fromMsOf(condition.term, timezone), beforeMs: beforeMsOf(condition.term, timezone) };
    case 'range':
      return { fromMs: fromMsOf(condition.gte, timezone), beforeMs: beforeMsOf(condition.lte, timezone) };
    case 'timePeriod':
      return { fromMs: nowMs - condition.days * DAY_MS, beforeMs: nowMs + 1 };
    default:
      return absurd(condition);
  }
}

/** Instants of records have four-digit years (`Instant`). */
function toTimestamp(ms: number): string {
  const date = new Date(ms);
  if (date.getUTCFullYear() < 1) return '-infinity';
  return date.getUTCFullYear() > 9999 ? 'infinity' : date.toISOString();
}

/**
 * The planner compares each place of a list with the thousand most common values: 18 ms for 840 places. It does not
 * look into a subquery.
 */
const MOST_ESTIMATED = 3;

/** `within` is the location or anything below it; an unknown one matches nothing (S-9). */
export function predicateOfLocation(
  { field, match, location }: Condition & { readonly on: 'location' },
  { below, terms }: SearchContext,
): Predicate {
  const { column: name } = SEARCHED_FIELDS[field];
  const known = below(location);
  const ids = match === 'within' ? known : known.filter((id) => id === location);
  return rowLeaf({
    ...conditionAt(ROW_COLUMNS[name], ids),
    ...WITHOUT_TERMS,
    index: 'composite',
    cardinality: { by: 'locations', column: name, ids },
    ...(match === 'within' && { bitmap: terms.ofPlaces(name, ids) }),
  });
}

/** The list is not copied: a statement sends a province's places once, for any number of conditions. */
const conditionAt = (column: Sql, places: readonly Uuid[]): Pick<RowCondition, 'condition' | 'check'> => ({
  condition: sql`${column} = any(${places}::uuid[])`,
  ...(places.length > MOST_ESTIMATED && { check: sql`${column} in (select unnest(${places}::uuid[]))` }),
});

/** An empty `anyOf` matches nothing (S-6). */
export interface FlagsWanted {
  readonly anyOf?: readonly string[];
  readonly noneOf?: readonly string[];
  readonly allOf?: readonly string[];
}

/** Never NULL: a record always has a list of flags. Only a search for records needs `terms`. */
export function predicateOfFlags(
  { anyOf: some, noneOf: none = [], allOf: every = [] }: FlagsWanted,
  terms?: Terms,
): Predicate {
  const leaf = (condition: Sql, flags: readonly string[], of: typeof allOf): Predicate =>
    rowLeaf({
      condition,
      ...(terms === undefined
        ? WITHOUT_TERMS
        : { candidateTerms: of(flags.map((flag) => terms.ofMetadata('flag', flag))), decides: true }),
      index: 'none',
    });
  const hasOneOf = (flags: readonly string[]): Predicate => leaf(sql`s.flags && ${flags}::text[]`, flags, someOf);
  const parts: Predicate[] = [];
  if (some !== undefined) parts.push(hasOneOf(some));
  if (every.length > 0) parts.push(leaf(sql`s.flags @> ${every}::text[]`, every, allOf));
  if (none.length > 0) parts.push(negated(hasOneOf(none)));
  return allOfParts(parts);
}

type TextColumn = (typeof SEARCHED_FIELDS)[TextField];

/** Compared whole and case-sensitively (S-7). Only a search for records needs `terms`. */
export function predicateOfText(field: TextField, values: readonly string[], terms?: Terms): Predicate {
  const { column, kind, search }: TextColumn = SEARCHED_FIELDS[field];
  if (search.values !== 'unique') return oneOfShared(column, search, values, terms);
  const ids = kind === 'uuid' ? values.filter(isCanonicalUuid) : values;
  return oneOfUnique(isOneOf(ROW_COLUMNS[column], ids, kind === 'uuid' ? sql`uuid` : sql`text`), values.length);
}

const oneOfUnique = (condition: Sql, rows: number): Predicate =>
  rowLeaf({
    condition,
    ...WITHOUT_TERMS,
    index: 'own',
    cardinality: { by: 'rows', rows },
  });

/** Terms decide if the values are words chosen by countries rather than ids. */
function oneOfShared(
  column: RecordColumn,
  search: Exclude<TextColumn['search'], { readonly values: 'unique' }>,
  values: readonly string[],
  terms: Terms | undefined,
): Predicate {
  const index = 'index' in search ? search.index : 'none';
  return rowLeaf({
    condition: isOneOf(ROW_COLUMNS[column], values, sql`text`),
    ...(terms === undefined
      ? WITHOUT_TERMS
      : {
          candidateTerms: someOf(values.map((value) => terms.ofMetadata(search.terms, value))),
          decides: search.values === 'words',
        }),
    index,
    ...(index === 'none' || values.length !== 1 ? {} : { sortedWithin: column }),
  });
}

/** An id is stored in lower case: no other spelling matches. */
const isCanonicalUuid = (text: string): boolean => parseUuid(text) === text;

/** Scopes are ORed, the options inside one ANDed. Only a search for records needs `terms`. */
export const predicateOfRowFilter = (scopes: readonly RecordOptions[], terms?: Terms): Predicate =>
  anyOfParts(scopes.map((options) => predicateOfOptions(options, terms)));

function predicateOfOptions(options: RecordOptions, terms: Terms | undefined): Predicate {
  const parts: Predicate[] = [];
  if (options.id !== undefined) parts.push(tried(sql`s.id = ${options.id}`));
  if (options.event !== undefined) parts.push(predicateOfText('eventType', options.event, terms));
  if (options.status !== undefined) parts.push(predicateOfText('status', options.status, terms));
  if (options.flags !== undefined) parts.push(predicateOfFlags(options.flags, terms));
  if (isUnreachable(options)) parts.push(anyOfParts([]));
  for (const [option, ids] of placesOf(options)) parts.push(PREDICATES_OF_PLACES[option](ids));
  for (const [option, id, kind] of BY_COLUMNS) {
    const author = options[option];
    if (author !== undefined) parts.push(tried(isByAuthor(id, kind, author)));
  }
  return allOfParts(parts);
}

/** Only scopes that ask for flags hide records that another record names (E-10). */
export const scopesThatHide = (rowFilter: RowFilter): readonly RecordOptions[] | undefined =>
  rowFilter !== 'everything' && rowFilter.some(({ flags }) => flags !== undefined) ? rowFilter : undefined;

/** The SQL of `isBy`. */
function isByAuthor(id: Sql, kind: Sql | undefined, { subject, userType }: Somebody): Sql {
  const hasId = sql`${id} = ${subject}::text`;
  return kind === undefined ? hasId : sql`(${hasId} and coalesce(${kind}, ${ASSUMED_USER_TYPE}) = ${userType}::text)`;
}

const tried = (condition: Sql): Predicate => rowLeaf({ condition, ...WITHOUT_TERMS, index: 'none' });

export const placesOf = ({ within = {} }: RecordOptions): readonly (readonly [PlaceOption, readonly Uuid[]])[] =>
  Object.entries(within) as [PlaceOption, readonly Uuid[]][];

/** An index finds the places, so a search reads no more than these (U-5). */
const placed =
  (name: PlaceColumn, column: Sql, index: 'own' | 'composite') =>
  (ids: readonly Uuid[]): Predicate =>
    rowLeaf({
      ...conditionAt(column, ids),
      ...WITHOUT_TERMS,
      index,
      cardinality: { by: 'locations', column: name, ids },
    });

const PREDICATES_OF_PLACES: Readonly<Record<PlaceOption, (ids: readonly Uuid[]) => Predicate>> = {
  placeOfEvent: placed('place_of_event', ROW_COLUMNS.place_of_event, 'own'),
  declaredIn: placed('declared_created_at_location', ROW_COLUMNS.declared_created_at_location, 'composite'),
  registeredIn: placed('registered_created_at_location', ROW_COLUMNS.registered_created_at_location, 'composite'),
  notifiedIn: placed('notified_created_at_location', sql`s.notified_created_at_location`, 'own'),
};

const BY_COLUMNS = [
  ['declaredBy', ROW_COLUMNS.declared_created_by, ROW_COLUMNS.declared_created_by_user_type],
  ['registeredBy', ROW_COLUMNS.registered_created_by, ROW_COLUMNS.registered_created_by_user_type],
  // The kind of the notifying user is not stored.
  ['notifiedBy', sql`s.notified_created_by`, undefined],
] as const;

/** The options depend on the caller's office, and there is none. */
export const isUnreachable = (options: RecordOptions): boolean =>
  PLACE_OPTIONS.map((option) => options[option]).some((where) => where !== undefined && where !== 'all');
