import type { AddressTerm } from '../../../derived/values/address-term.js';
import { parseAddressTerm } from '../../../derived/values/address-term.js';
import { ignoringCase, wordsOf } from '../../../derived/values/fold.js';
import { numberOf } from '../../../derived/values/number-of.js';
import type { CalendarDate } from '../../../domain/calendar.js';
import { parseCalendarDate } from '../../../domain/calendar.js';
import type { ValueCondition } from '../../../domain/search-request.js';

/** The terms of an `exact` or `anyOf` condition, for each kind of value (S-10). */
export interface ValueTerms {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** The words of each term: a name must have all words of one of them. */
  readonly names: readonly (readonly string[])[];
  readonly dates: readonly CalendarDate[];
  readonly addresses: readonly AddressTerm[];
}

/** An `exact` or `anyOf` condition. */
export type TermsCondition = ValueCondition & { readonly type: 'exact' | 'anyOf' };

const READ = new WeakMap<TermsCondition, ValueTerms>();

/** The parsed terms of a condition: computed once, as a search needs them more than once. */
export function valueTermsOf(condition: TermsCondition): ValueTerms {
  const read = READ.get(condition) ?? readValueTerms(termsOf(condition));
  READ.set(condition, read);
  return read;
}

/** The terms of an `exact` or an `anyOf`. */
export const termsOf = (condition: TermsCondition): readonly string[] =>
  condition.type === 'exact' ? [condition.term] : condition.terms;

/** The terms, as each kind of value reads them. */
export const readValueTerms = (terms: readonly string[]): ValueTerms => ({
  texts: terms.map(ignoringCase),
  numbers: terms.map(numberOf).filter((number) => number !== undefined),
  names: terms.map(wordsOf).filter((words) => words.length > 0),
  dates: terms.map(parseCalendarDate).filter((date) => date !== undefined),
  addresses: terms.map(parseAddressTerm).filter((address) => address !== undefined),
});
