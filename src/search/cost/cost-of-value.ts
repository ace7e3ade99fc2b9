import { wordsOf } from '../../derived/values/fold.js';
import type { DataInput, ValueCondition } from '../../domain/search-request.js';
import { absurd } from '../../errors/absurd.js';

/**
 * Where a condition on the declaration applies; it costs one look-up for each way in which its value may be spelled
 * there.
 */
export type Where = 'field' | 'any field';

/** A term on any field is looked up in each possible field. */
const ANY_FIELD = { term: 50, range: 500, within: 500 };
const FIELD = { term: 1, range: 5, within: 20 };

/** A short word has no near words but itself. */
const SHORT_WORD = 2;
const WORD_NEAR = 12;
const SHORT_WORD_NEAR = 5;

/** Longer text costs one more for each of these many characters: it is sent to the database. */
const TEXT = 128;
/** The words of a term are read in one piece: what is longer than some pages costs the square of its length besides. */
const PIECE = { length: 8_192, cost: 1_000 };

/**
 * The cost of a condition on the declaration; of a map, the sum of its members. The unit is one term of usual length
 * looked up in one field.
 */
export function costOfInput(input: DataInput): number {
  if (input.type !== 'map') return costOfValue(input, 'field');
  return input.members.reduce((sum, { key, input: inner }) => sum + costOfText(key) + costOfInput(inner), 0);
}

/** The cost of one condition on a value, in the unit of `costOf`. */
export function costOfValue(condition: ValueCondition, where: Where): number {
  const unit = where === 'field' ? FIELD : ANY_FIELD;
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
      return wordsOf(condition.term).reduce((sum, word) => sum + costOfWordsNear(word), 0);
    default:
      return absurd(condition);
  }
}

/** The cost of terms that are compared with a column. */
export const costOfTerms = (terms: readonly string[]): number =>
  terms.reduce((sum, term) => sum + FIELD.term + costOfText(term), 0);

/** A location stands for everything below it. */
export const COST_OF_LOCATION = FIELD.within;

const costOfText = (text: string): number => Math.floor(text.length / TEXT);

const costOfTerm = (term: string): number =>
  costOfText(term) + PIECE.cost * Math.floor(term.length / PIECE.length) ** 2;

const costOfWordsNear = (word: string): number => (word.length <= SHORT_WORD ? SHORT_WORD_NEAR : WORD_NEAR);
