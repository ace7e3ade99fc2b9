import type { RecordOptions, RowFilter } from '../../../kernel/domain/scopes/caller.js';
import {
  type Clause,
  type Condition,
  memberOfField,
  type Query,
  type SortField,
  type SortKey,
} from '../../../kernel/domain/search-request.js';
import { isSecuredField, type SecuredFields, typesWithCopy } from '../../../kernel/domain/secured-fields.js';
import { memberPath } from '../../../kernel/errors/faults.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';

/** Hides content of records that a caller finds but may not read (E-10). */
export interface Guard {
  readonly secured: SecuredFields;
  /** The scopes with read permission; an empty list admits no record. */
  readonly readable: readonly RecordOptions[];
}

/** Undefined if nothing is hidden. */
export const guardOf = (secured: SecuredFields, readable: RowFilter): Guard | undefined =>
  secured.size === 0 || readable === 'everything' ? undefined : { secured, readable };

/** A condition on any field depends on all fields. */
export function isOnSecured(condition: Condition, { secured }: Guard): boolean {
  if (condition.on === 'anyField') return true;
  return condition.on === 'data' && condition.members.some(({ key }) => isSecuredField(secured, key));
}

/** The event types in which the field, its source or its parent is secured. */
export function typesSecuring(field: SortField, secured: SecuredFields): readonly string[] {
  if (field.on === 'declaration') {
    const ids = [field.fieldId, memberOfField(field.fieldId)?.fieldId ?? field.fieldId];
    return [...secured].flatMap(([type, { fieldIds }]) => (ids.some((id) => fieldIds.has(id)) ? [type] : []));
  }
  return field.name === 'dateOfEvent' || field.name === 'placeOfEvent' ? typesWithCopy(secured, field.name) : [];
}

const MOST_ISSUES = 100;

export interface PlacedQuery {
  readonly query: Query;
  readonly path: string;
}

/**
 * For a caller who may read no record: the results would reveal secured fields (E-10). Throws 403 FORBIDDEN with an
 * issue for each. `path` is the query's position in the body.
 */
export function refuseSecured(
  { query, sort = [] }: { readonly query: Query; readonly sort?: readonly SortKey[] },
  guard: Guard | undefined,
  path = 'query',
): void {
  refuseSecuredIn([{ query, path }], sort, guard);
}

/** For the unsorted queries of one request. */
export function refuseSecuredIn(
  queries: readonly PlacedQuery[],
  sort: readonly SortKey[],
  guard: Guard | undefined,
): void {
  if (guard === undefined || guard.readable.length > 0) return;
  const parts: readonly SecuredPart[] = [
    ...queries.flatMap(({ query, path }) => securedIn(query, guard, path)),
    ...sort.flatMap(({ field }, index) =>
      typesSecuring(field, guard.secured).length === 0
        ? []
        : [{ at: memberPath(memberPath('sort', index), 'field'), what: `${nameOf(field)} is a secured field` }],
    ),
  ];
  if (parts.length === 0) return;
  const issues = parts.slice(0, MOST_ISSUES).map(({ at, what }) => ({ message: `${at}: ${what}` }));
  throw new ServiceError('FORBIDDEN', REFUSED, { issues });
}

const REFUSED = 'Secured fields can be searched and sorted by only with the scope record.read';

interface SecuredPart {
  readonly at: string;
  readonly what: string;
}

function securedIn(clause: Clause, guard: Guard, path: string): readonly SecuredPart[] {
  if (clause.kind === 'expression') return clause.conditions.flatMap((condition) => securedOf(condition, guard, path));
  const clauses = memberPath(path, 'clauses');
  return clause.clauses.flatMap((inner, at) => securedIn(inner, guard, memberPath(clauses, at)));
}

function securedOf(condition: Condition, { secured }: Guard, path: string): readonly SecuredPart[] {
  const data = memberPath(path, 'data');
  if (condition.on === 'anyField') {
    const some = [...secured.values()].flatMap(({ fieldIds }) => [...fieldIds])[0] ?? '';
    return [{ at: data, what: `any field includes secured fields, such as ${some}: name the fields to look in` }];
  }
  return condition.on !== 'data'
    ? []
    : condition.members
        .filter(({ key }) => isSecuredField(secured, key))
        .map(({ key }) => ({ at: memberPath(data, key), what: `${key} is a secured field` }));
}

const nameOf = (field: SortField): string => (field.on === 'record' ? field.name : field.fieldId);
