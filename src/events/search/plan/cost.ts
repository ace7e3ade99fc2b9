import type { RecordOptions } from '../../../kernel/domain/scopes/caller.js';
import type { Clause, Condition, DataInput, Query, ValueCondition } from '../../../kernel/domain/search-request.js';
import { invalidInput, memberPath } from '../../../kernel/errors/faults.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { cutsOf, runsIn } from '../../index/values/fold.js';
import { type Guard, isOnSecured, type PlacedQuery } from '../request/refuse-secured.js';

/** Each possible spelling of the value costs one look-up there. */
export type Where = 'field' | 'inside a field' | 'any field';

/** Each possible field is looked up. */
const ANY_FIELD = { term: 50, range: 500, within: 500 };
const FIELD = { term: 1, range: 5, within: 20 };

/** A short word has no near words but itself. */
const SHORT_WORD = 2;
const WORD_NEAR = 12;
const SHORT_WORD_NEAR = 5;

/**
 * Inside a field, a word near parts of UUIDs has up to 365 patterns (`uuidPartsNear`), most of them at these lengths.
 */
const PART_NEAR = { fewest: 6, most: 14, cost: 27 };
const LONG_PART_NEAR = { fewest: 11, most: 13, cost: 42 };
const PART = /^(?:[0-9a-f]*[^0-9a-f]?){2}[0-9a-f]*$/u;

/** One more for each of these many characters, which are sent to the database. */
const TEXT = 128;
/** Beyond some pages, the cost of reading a term grows with the square of its length. */
const PIECE = { length: 8_192, cost: 1_000 };

/** A map costs the sum of its members. Unit: one term of usual length looked up in one field. */
export function costOfInput(input: DataInput, where: Where = 'field'): number {
  if (input.type !== 'map') return costOfValue(input, where);
  return input.members.reduce(
    (sum, { key, input: inner }) => sum + costOfText(key) + costOfInput(inner, 'inside a field'),
    0,
  );
}

/** In the unit of `costOf`. */
export function costOfValue(condition: ValueCondition, where: Where): number {
  const unit = where === 'any field' ? ANY_FIELD : FIELD;
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
      return runsIn(cutsOf(condition.term)).reduce((sum, word) => sum + costOfWordsNear(word, where), 0);
    default:
      return absurd(condition);
  }
}

export const costOfTerms = (terms: readonly string[]): number =>
  terms.reduce((sum, term) => sum + FIELD.term + costOfText(term), 0);

export const COST_OF_LOCATION = FIELD.within;

const costOfText = (text: string): number => Math.floor(text.length / TEXT);

const costOfTerm = (term: string): number =>
  costOfText(term) + PIECE.cost * Math.floor(term.length / PIECE.length) ** 2;

function costOfWordsNear(word: string, where: Where): number {
  if (word.length <= SHORT_WORD) return SHORT_WORD_NEAR;
  if (where !== 'inside a field' || word.length > PART_NEAR.most || !PART.test(word)) return WORD_NEAR;
  const { length } = word;
  if (length >= LONG_PART_NEAR.fewest && length <= LONG_PART_NEAR.most) return LONG_PART_NEAR.cost;
  return length >= PART_NEAR.fewest ? PART_NEAR.cost : WORD_NEAR;
}

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
  throw invalidInput(
    `${path()}: costs ${cost} of ${total}, and ${whole} may cost ${most} in all (${name}): ${cheaper}`,
    { refusal: 'search-cost' },
  );
}
