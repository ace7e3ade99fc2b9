import type { RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { Clause, Condition, Query } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { type Guard, isOnSecured } from '../request/refuse-secured.js';
import { compileRecheck } from './compile-filter.js';
import { predicateOfAnyField, predicateOfMember } from './data.js';
import { allOfParts, anyOfParts, type Predicate } from './predicate.js';
import {
  predicateOfFlags,
  predicateOfInstant,
  predicateOfLocation,
  predicateOfRowFilter,
  predicateOfText,
} from './row-filter.js';
import type { SearchContext } from './search-context.js';

/** The records on which the caller may learn the result; undefined: all (E-10). */
export const readableFor = (condition: Condition, { guard, terms }: SearchContext): Predicate | undefined =>
  guard !== undefined && isOnSecured(condition, guard) ? predicateOfRowFilter(guard.readable, terms) : undefined;

/** Over a row `s`, for records of these event types. Never NULL. */
export const isUnreadOf = (types: readonly string[], { readable }: Guard): Sql =>
  sql`(s.type = any(${types}::text[]) and (${compileRecheck(predicateOfRowFilter(readable))}) is not true)`;

/** S-1, S-6. */
export function predicateOfQuery(query: Query, context: SearchContext): Predicate {
  const clauses = query.clauses.map((clause) => predicateOfClause(clause, context));
  return query.kind === 'and' ? allOfParts(clauses) : anyOfParts(clauses);
}

export const predicateOfClause = (clause: Clause, context: SearchContext): Predicate =>
  clause.kind === 'expression'
    ? allOfParts(clause.conditions.map((condition) => predicateOfCondition(condition, context)))
    : predicateOfQuery(clause, context);

/** On a secured field, only for records that the caller may read (E-10). */
export function predicateOfCondition(condition: Condition, context: SearchContext): Predicate {
  const holds = predicateOfUnguarded(condition, context);
  const readable = readableFor(condition, context);
  return readable === undefined ? holds : allOfParts([holds, readable]);
}

function predicateOfUnguarded(condition: Condition, context: SearchContext): Predicate {
  switch (condition.on) {
    case 'text':
      return predicateOfText(condition.field, condition.terms, context.terms);
    case 'instant':
      return predicateOfInstant(condition.field, condition.condition, context);
    case 'location':
      return predicateOfLocation(condition, context);
    case 'flags':
      return predicateOfFlags(condition, context.terms);
    case 'data':
      return allOfParts(condition.members.map((member) => predicateOfMember(member, context)));
    case 'anyField':
      return predicateOfAnyField(condition.condition, context);
    default:
      return absurd(condition);
  }
}

/** The row filter ANDed with the query. */
export function predicateOfMatches(query: Query, rowFilter: RowFilter, context: SearchContext): Predicate {
  const asked = predicateOfQuery(query, context);
  return rowFilter === 'everything' ? asked : restricted(asked, rowFilter, context);
}

export const restricted = (
  asked: Predicate,
  rowFilter: Exclude<RowFilter, 'everything'>,
  { terms }: SearchContext,
): Predicate => allOfParts([asked, predicateOfRowFilter(rowFilter, terms)]);
