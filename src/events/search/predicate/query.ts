import type { RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { Clause, Condition, Query } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { predicateOfAnyField, predicateOfMember } from './data.js';
import { predicateOfFlags } from './flags.js';
import { predicateOfInstant } from './instants.js';
import { predicateOfLocation } from './locations.js';
import { allOfParts, anyOfParts, type Predicate } from './predicate.js';
import { readableFor } from './readable.js';
import { predicateOfRowFilter } from './row-filter.js';
import type { SearchContext } from './search-context.js';
import { predicateOfText } from './text-fields.js';

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
