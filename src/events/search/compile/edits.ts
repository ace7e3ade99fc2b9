import type { Clause, Condition, DataInput, DataMember, Query } from '../../../domain/search-request.js';
import { Sql, sql } from '../../../sql/sql.js';
import { hasFuzzy, isFuzzyCondition, isFuzzyInput } from '../has-fuzzy.js';
import { DATA } from '../terms.js';
import { factsOfFields, ofDeclaration } from './data.js';
import { compileFact, within } from './fact.js';
import type { FuzzyScope } from './fuzzy.js';
import { compileFuzzyEdits, fuzzyFields } from './fuzzy.js';
import { predicateOfClause, predicateOfCondition } from './query.js';
import { compileTried } from './render.js';
import type { SearchContext } from './search-context.js';

/**
 * The fewest edits by which a record satisfies the query, for a record that does (S-12); undefined when the query has
 * no fuzzy condition. A fuzzy condition takes as many as its words do, each word being as near as it is in the value
 * that satisfies it best: the cheapest member of a list, the cheapest field for a condition on some field. Any other
 * condition takes none. AND, and the members of a map, take the sum; OR takes the cheapest of the clauses that hold.
 */
export const compileEdits = (query: Query, context: SearchContext): Sql | undefined =>
  hasFuzzy(query) ? editsOfMatch(query, context) : undefined;

/** For a clause that is known to hold, so that parts without a fuzzy condition need no look: they take no edits. */
function editsOfMatch(clause: Clause, context: SearchContext): Sql {
  if (clause.kind === 'or' && clause.clauses.length > 1) return editsOfClause(clause, context);
  return clause.kind === 'expression'
    ? sum(clause.conditions.filter(isFuzzyCondition).map((condition) => editsOfMatchingCondition(condition, context)))
    : sum(clause.clauses.filter(hasFuzzy).map((inner) => editsOfMatch(inner, context)));
}

/** NULL when the clause does not hold. */
function editsOfClause(clause: Clause, context: SearchContext): Sql {
  if (!hasFuzzy(clause)) return noEditsIf(compileTried(predicateOfClause(clause, context)));
  switch (clause.kind) {
    case 'and':
      return sum(clause.clauses.map((inner) => editsOfClause(inner, context)));
    case 'or':
      return sql`least(${Sql.join(
        clause.clauses.map((inner) => editsOfClause(inner, context)),
        ', ',
      )})`;
    case 'expression':
      return sum(clause.conditions.map((condition) => editsOfCondition(condition, context)));
  }
}

function editsOfMatchingCondition(condition: Condition, context: SearchContext): Sql {
  if (condition.on !== 'data') return editsOfCondition(condition, context);
  const members = condition.members.filter(({ input }) => isFuzzyInput(input));
  return ofDeclaration(sum(members.map((member) => editsOfMember(sql`d.facts`, member, DATA, context))));
}

function editsOfCondition(condition: Condition, context: SearchContext): Sql {
  if (!isFuzzyCondition(condition)) return noEditsIf(compileTried(predicateOfCondition(condition, context)));
  if (condition.on === 'data') {
    return ofDeclaration(sum(condition.members.map((member) => editsOfMember(sql`d.facts`, member, DATA, context))));
  }
  if (condition.on !== 'anyField' || condition.condition.type !== 'fuzzy') return sql`0`;
  const { term } = condition.condition;
  const fields = fuzzyFields(term, context.dictionary);
  const edits = compileFuzzyEdits(term, 'everyField', context.dictionary);
  return ofDeclaration(sql`(select min(${edits}) from ${factsOfFields(fields)})`);
}

/** The fewest edits of the values at one key of `facts`. */
function editsOfMember(facts: Sql, { key, input }: DataMember, parent: FuzzyScope, context: SearchContext): Sql {
  const edits = editsOfFact(input, within(parent, key), context);
  return sql`(select min(${edits}) from jsonb_array_elements(${facts} -> ${key}::text) as f(fact))`;
}

function editsOfFact(input: DataInput, scope: FuzzyScope, context: SearchContext): Sql {
  if (input.type === 'fuzzy') return compileFuzzyEdits(input.term, scope, context.dictionary);
  if (input.type !== 'map' || !isFuzzyInput(input)) return noEditsIf(compileFact(input, scope, context));
  return sum(input.members.map((member) => editsOfMember(sql`fact -> 'm'`, member, scope, context)));
}

const noEditsIf = (holds: Sql): Sql => sql`case when ${holds} then 0 end`;

const sum = (edits: readonly Sql[]): Sql => sql`(${Sql.join(edits, ' + ')})`;
