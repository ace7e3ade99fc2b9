import type { Clause, Condition, Query } from '../../../domain/search-request.js';
import { absurd } from '../../../errors/absurd.js';
import type { Sql } from '../../../sql/sql.js';
import { all, any } from '../../../sql/sql.js';
import { compileAnyField, compileData } from './data.js';
import { compileFlags } from './flags.js';
import { compileInstant } from './instants.js';
import { compileLocation } from './locations.js';
import type { SearchContext } from './search-context.js';
import { compileText } from './text-fields.js';

/** The tree of clauses (S-1, S-6). */
export function compileQuery(query: Query, context: SearchContext): Sql {
  const clauses = query.clauses.map((clause) => compileClause(clause, context));
  return query.kind === 'and' ? all(clauses) : any(clauses);
}

export const compileClause = (clause: Clause, context: SearchContext): Sql =>
  clause.kind === 'expression'
    ? all(clause.conditions.map((condition) => compileCondition(condition, context)))
    : compileQuery(clause, context);

export function compileCondition(condition: Condition, context: SearchContext): Sql {
  switch (condition.on) {
    case 'text':
      return compileText(condition.field, condition.terms);
    case 'instant':
      return compileInstant(condition.field, condition.condition, context);
    case 'location':
      return compileLocation(condition, context);
    case 'flags':
      return compileFlags(condition);
    case 'data':
      return compileData(condition.members, context);
    case 'anyField':
      return compileAnyField(condition.condition, context);
    default:
      return absurd(condition);
  }
}
