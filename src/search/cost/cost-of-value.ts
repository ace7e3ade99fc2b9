import { wordsOf } from '../../derived/values/fold.js';
import type { DataInput, ValueCondition } from '../../domain/search-request.js';
import { absurd } from '../../errors/absurd.js';

/**
 * Where a condition on the declaration applies; it costs one look-up for each way in which its value may be spelled
 * there.
 */
export type Where = 'field' | AnyField;
/** Any field of all records, as in a search, or of the one record that a webhook's filter is tried on. */
export type AnyField = 'any field' | 'any field of one record';

/**
 * A term on any field is looked up in each possible field. A range cannot be looked up there, since texts have no terms
 * for their order: it is checked on every record, and costs more than `SEARCH_MAX_COST` permits unless it is raised.
 */
const COSTS: Readonly<Record<Where, { readonly term: number; readonly range: number; readonly within: number }>> = {
  field: { term: 1, range: 5, within: 20 },
  'any field': { term: 50, range: 25_000, within: 500 },
  'any field of one record': { term: 50, range: 500, within: 500 },
};

/** A short word has no near words but itself. */
const SHORT_WORD = 2;
const WORD_NEAR = 12;
const SHORT_WORD_NEAR = 5;

/**
 * Longer text costs one more for each of these many characters: more words are read from it, and it is sent to the
 * database.
 */
const TEXT = 128;

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
  const unit = COSTS[where];
  switch (condition.type) {
    case 'exact':
      return unit.term + costOfText(condition.term);
    case 'anyOf':
      return condition.terms.reduce((sum, term) => sum + unit.term + costOfText(term), 0);
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
  terms.reduce((sum, term) => sum + COSTS.field.term + costOfText(term), 0);

/** A location stands for everything below it. */
export const COST_OF_LOCATION = COSTS.field.within;

const costOfText = (text: string): number => Math.floor(text.length / TEXT);

const costOfWordsNear = (word: string): number => (word.length <= SHORT_WORD ? SHORT_WORD_NEAR : WORD_NEAR);
