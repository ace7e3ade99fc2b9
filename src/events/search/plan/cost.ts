import type { RecordOptions } from '../../../kernel/domain/scopes/caller.js';
import type { Clause, Condition, Query } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { memberPath } from '../../../kernel/errors/faults.js';
import { type Guard, isOnSecured } from '../request/guard.js';
import { COST_OF_LOCATION, costOfInput, costOfTerms, costOfValue } from './cost-of-value.js';

type Path = () => string;

/** With its path in the body (G-4). */
export interface CostOfCondition {
  /** Evaluated only for the costliest condition of a refused query. */
  readonly path: Path;
  readonly cost: number;
  readonly cheaper: string;
}

/** In terms looked up in one field each. */
export interface Cost {
  readonly total: number;
  readonly costliest: CostOfCondition | undefined;
}

/**
 * From the request alone: fields x terms x spellings, and the length of texts. 10,000 terms in named fields cost
 * 10,000 to 18,000; 20 fuzzy conditions at most 20,000. 20 conditions of 10 terms on any field cost at most 18,000.
 * Conditions on secured fields of a `guard` also cost its scopes (E-10).
 */
export function costOf(query: Query, path = 'query', guard?: Guard): Cost {
  let total = 0;
  let costliest: CostOfCondition | undefined;
  for (const one of conditionsOf(query, () => path, guard)) {
    total += one.cost;
    if (costliest === undefined || one.cost > costliest.cost) costliest = one;
  }
  return { total, costliest };
}

function* conditionsOf(clause: Clause, path: Path, guard: Guard | undefined): Generator<CostOfCondition> {
  if (clause.kind === 'expression') {
    for (const condition of clause.conditions) {
      yield* costsOfCondition(condition, path);
      if (guard !== undefined && isOnSecured(condition, guard)) {
        yield part(below(path, 'data'), costOfScopes(guard.readable), FEWER_CLAUSES);
      }
    }
    return;
  }
  const clauses = below(path, 'clauses');
  for (const [at, inner] of clause.clauses.entries()) yield* conditionsOf(inner, below(clauses, at), guard);
}

function* costsOfCondition(condition: Condition, clause: Path): Generator<CostOfCondition> {
  switch (condition.on) {
    case 'text':
      yield part(below(clause, condition.field), costOfTerms(condition.terms), FEWER_TERMS);
      return;
    case 'instant':
      yield part(below(clause, condition.field), 1, NARROWER);
      return;
    case 'location':
      yield part(below(clause, condition.field), COST_OF_LOCATION, NARROWER);
      return;
    case 'flags': {
      const { anyOf = [], noneOf, allOf } = condition;
      yield part(below(clause, 'flags'), costOfTerms([...anyOf, ...noneOf, ...allOf]), FEWER_TERMS);
      return;
    }
    case 'data':
      for (const { key, input } of condition.members) {
        yield part(below(below(clause, 'data'), key), 1 + costOfInput(input), FEWER_TERMS);
      }
      return;
    case 'anyField':
      yield part(below(clause, 'data'), costOfValue(condition.condition, 'any field'), NAME_THE_FIELDS);
      return;
    default:
      absurd(condition);
  }
}

const below =
  (parent: Path, key: string | number): Path =>
  () =>
    memberPath(parent(), key);

const part = (path: Path, cost: number, cheaper: string): CostOfCondition => ({ path, cost, cheaper });

/** Checked on each record that the condition finds. */
const costOfScopes = (scopes: readonly RecordOptions[]): number =>
  scopes.reduce((sum, { event = [], status = [], flags: { anyOf = [], noneOf = [], allOf = [] } = {} }) => {
    return sum + 1 + costOfTerms([...event, ...status, ...anyOf, ...noneOf, ...allOf]);
  }, 0);

const FEWER_CLAUSES = 'ask for secured fields in fewer clauses';
const FEWER_TERMS = 'ask for fewer terms or words at a time';
const NARROWER = 'ask for fewer conditions at a time';
const NAME_THE_FIELDS = 'name the fields to look in, or ask for fewer terms or words at a time';
