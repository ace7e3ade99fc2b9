import type { RecordOptions } from '../../../kernel/domain/scopes/caller.js';
import type { Clause, Condition, DataInput, Query, ValueCondition } from '../../../kernel/domain/search-request.js';
import { invalidInput, memberPath } from '../../../kernel/errors/faults.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { cutsOf, runsIn } from '../../index/values/fold.js';
import { type Guard, isOnSecured, type PlacedQuery } from '../request/refuse-secured.js';

/** Each possible field is looked up. */
const ANY_FIELD = { term: 50, range: 500, within: 500 };
const FIELD = { term: 1, range: 5, within: 10 };

const WORD_NEAR = 12;

/** One more for each of these many characters, which are sent to the database. */
const TEXT = 64;
/** Beyond some pages, the cost of reading a term grows with the square of its length. */
const PIECE = { length: 8_192, cost: 1_000 };

/** A map costs the sum of its members. Unit: one term of usual length looked up in one field. */
function costOfInput(input: DataInput): number {
  if (input.type !== 'map') return costOfValue(input, FIELD);
  return input.members.reduce((sum, { key, input: inner }) => sum + costOfText(key) + costOfInput(inner), 0);
}

function costOfValue(condition: ValueCondition, unit: typeof FIELD): number {
  switch (condition.type) {
    case 'exact':
      return unit.term + costOfTerm(condition.term);
    case 'anyOf':
      return condition.terms.reduce((sum, term) => sum + unit.term + costOfTerm(term), 0);
    case 'range':
      return unit.range + costOfText(condition.gte) + costOfText(condition.lte);
    case 'within':
      return unit.within;
    case 'fuzzy':
      return WORD_NEAR * runsIn(cutsOf(condition.term)).length;
    default:
      return absurd(condition);
  }
}

const costOfTerms = (terms: readonly string[]): number =>
  terms.reduce((sum, term) => sum + FIELD.term + costOfText(term), 0);

const costOfText = (text: string): number => Math.floor(text.length / TEXT);

const costOfTerm = (term: string): number =>
  costOfText(term) + PIECE.cost * Math.floor(term.length / PIECE.length) ** 2;

/** With its path in the body (G-4). */
interface CostOfCondition {
  readonly path: string;
  readonly cost: number;
  readonly cheaper: string;
}

/** In terms looked up in one field each. */
interface Cost {
  readonly total: number;
  readonly costliest: CostOfCondition | undefined;
}

/**
 * From the request alone: fields x terms x spellings, and the length of texts. 2,000 terms in named fields cost
 * 2,000, as do forty on any field; forty words at most 1,404. Conditions on secured fields of a `guard` also cost its
 * scopes (E-10).
 */
export function costOf(query: Query, path = 'query', guard?: Guard): Cost {
  const costs = costsIn(query, path, guard);
  return {
    total: costs.reduce((sum, { cost }) => sum + cost, 0),
    costliest: costs.reduce<CostOfCondition | undefined>(
      (most, one) => (most === undefined || one.cost > most.cost ? one : most),
      undefined,
    ),
  };
}

function costsIn(clause: Clause, path: string, guard: Guard | undefined): readonly CostOfCondition[] {
  if (clause.kind !== 'expression') {
    const clauses = memberPath(path, 'clauses');
    return clause.clauses.flatMap((inner, at) => costsIn(inner, memberPath(clauses, at), guard));
  }
  return clause.conditions.flatMap((condition) => {
    const costs = costsOfCondition(condition, path);
    if (guard === undefined || !isOnSecured(condition, guard)) return costs;
    return [...costs, part(memberPath(path, 'data'), costOfScopes(guard.readable), FEWER_CLAUSES)];
  });
}

function costsOfCondition(condition: Condition, clause: string): readonly CostOfCondition[] {
  const data = memberPath(clause, 'data');
  switch (condition.on) {
    case 'text':
      return [part(memberPath(clause, condition.field), costOfTerms(condition.terms), FEWER_TERMS)];
    case 'instant':
      return [part(memberPath(clause, condition.field), 1, NARROWER)];
    case 'location':
      return [part(memberPath(clause, condition.field), FIELD.within, NARROWER)];
    case 'flags': {
      const { anyOf = [], noneOf, allOf } = condition;
      return [part(memberPath(clause, 'flags'), costOfTerms([...anyOf, ...noneOf, ...allOf]), FEWER_TERMS)];
    }
    case 'data':
      return condition.members.map(({ key, input }) => part(memberPath(data, key), costOfInput(input), FEWER_TERMS));
    case 'anyField':
      return [part(data, costOfValue(condition.condition, ANY_FIELD), NAME_THE_FIELDS)];
    default:
      return absurd(condition);
  }
}

/** An empty list takes its place in the statement, too. */
const part = (path: string, cost: number, cheaper: string): CostOfCondition => ({
  path,
  cost: Math.max(1, cost),
  cheaper,
});

/** Checked on each record that the condition finds. */
const costOfScopes = (scopes: readonly RecordOptions[]): number =>
  scopes.reduce((sum, { event = [], status = [], flags: { anyOf = [], noneOf = [], allOf = [] } = {} }) => {
    return sum + 1 + costOfTerms([...event, ...status, ...anyOf, ...noneOf, ...allOf]);
  }, 0);

const FEWER_CLAUSES = 'ask for secured fields in fewer clauses';
const FEWER_TERMS = 'split it into requests of fewer terms or words';
const NARROWER = 'split it into requests of fewer conditions';
const NAME_THE_FIELDS = 'name the fields to look in, or split it into requests of fewer terms or words';

/** `name` is that of a setting, or another that a caller knows. */
export interface CostBound {
  readonly most: number;
  readonly name: string;
}

/**
 * Before any work. Throws 400 BAD_REQUEST with one issue that names the costliest condition, its cost, the bound,
 * and a cheaper form. `path` is the query's position in the body. Returns the cost.
 */
export function requireAffordable(query: Query, bound: CostBound, path = 'query', guard?: Guard): number {
  return requireAffordableTogether([{ query, path }], bound, guard);
}

/** The queries of one request share the bound (S-17). Returns the sum. */
export function requireAffordableTogether(
  queries: readonly PlacedQuery[],
  { most, name }: CostBound,
  guard: Guard | undefined,
): number {
  const costs = queries.map(({ query, path }) => costOf(query, path, guard));
  const total = costs.reduce((sum, cost) => sum + cost.total, 0);
  if (total <= most) return total;
  const costliest = costs
    .flatMap((cost) => cost.costliest ?? [])
    .reduce((dearest, one) => (one.cost > dearest.cost ? one : dearest));
  const { path, cost, cheaper } = costliest;
  const whole = queries.length === 1 ? 'a query' : 'the queries of a request';
  throw invalidInput(`${path}: costs ${cost} of ${total}, and ${whole} may cost ${most} in all (${name}): ${cheaper}`, {
    refusal: 'search-cost',
  });
}
