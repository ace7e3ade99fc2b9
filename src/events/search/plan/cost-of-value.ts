import { cutsOf, runsIn } from '../../index/values/joined-words.js';
import type { DataInput, ValueCondition } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';

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
