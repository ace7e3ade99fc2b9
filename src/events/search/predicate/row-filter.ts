import type { RecordOptions, RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { PlaceColumn } from '../../index/searched-columns.js';
import type { Terms } from '../../index/terms/terms.js';
import { ASSUMED_USER_TYPE, type Somebody } from '../../../kernel/domain/author.js';
import { PLACE_OPTIONS, type PlaceOption } from '../../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { predicateOfFlags } from './flags.js';
import { conditionAt } from './locations.js';
import { allOfParts, anyOfParts, type Predicate, rowLeaf, WITHOUT_TERMS } from './predicate.js';
import { ROW_COLUMNS } from './row-columns.js';
import { predicateOfText } from './text-fields.js';

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
