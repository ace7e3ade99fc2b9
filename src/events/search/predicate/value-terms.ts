import type { Steps } from '../../../platform/queue/time-slice.js';
import { isSole } from '../../index/terms/field-terms.js';
import { type AddressTerm, parseAddressTerm } from '../../index/values/address-term.js';
import { ignoringCase, wordsOf } from '../../index/values/fold.js';
import { numberOf } from '../../index/values/number-of.js';
import { type CalendarDate, parseCalendarDate } from '../../../kernel/domain/calendar.js';
import { cleanText } from '../../../kernel/domain/text.js';
import type { ValueCondition } from '../../../kernel/domain/search-request.js';

/** For an `exact` or `anyOf` condition (S-10). */
export interface ValueTerms {
  readonly texts: readonly string[];
  /** Texts that are exactly one word. */
  readonly soles: readonly string[];
  readonly numbers: readonly number[];
  /** A name must have all words of one of them. */
  readonly names: readonly (readonly string[])[];
  readonly dates: readonly CalendarDate[];
  readonly addresses: readonly AddressTerm[];
}

export type TermsCondition = ValueCondition & { readonly type: 'exact' | 'anyOf' };

export type AnyOf = TermsCondition & { readonly type: 'anyOf' };

const READ = new WeakMap<TermsCondition, ValueTerms>();

/** Memoized. */
export function valueTermsOf(condition: TermsCondition): ValueTerms {
  const read = READ.get(condition) ?? readValueTerms(termsOf(condition));
  READ.set(condition, read);
  return read;
}

/** Fills the cache of `valueTermsOf` one by one: many long terms take a second. */
export function* readingTermsOf(condition: AnyOf): Steps<void> {
  if (READ.has(condition)) return;
  const read: ValueTerms[] = [];
  for (const term of condition.terms) {
    read.push(readValueTerms([term]));
    yield;
  }
  READ.set(condition, {
    texts: read.flatMap(({ texts }) => texts),
    soles: read.flatMap(({ soles }) => soles),
    numbers: read.flatMap(({ numbers }) => numbers),
    names: read.flatMap(({ names }) => names),
    dates: read.flatMap(({ dates }) => dates),
    addresses: read.flatMap(({ addresses }) => addresses),
  });
}

export const termsOf = (condition: TermsCondition): readonly string[] =>
  condition.type === 'exact' ? [condition.term] : condition.terms;

export function readValueTerms(terms: readonly string[]): ValueTerms {
  const clean = terms.map(cleanText);
  const texts = clean.map(ignoringCase);
  return {
    texts,
    soles: texts.filter((text) => !text.includes(' ') && isSole(text, wordsOf(text))),
    numbers: clean.map(numberOf).filter((number) => number !== undefined),
    names: clean.map(wordsOf).filter((words) => words.length > 0),
    dates: clean.map(parseCalendarDate).filter((date) => date !== undefined),
    addresses: clean.map(parseAddressTerm).filter((address) => address !== undefined),
  };
}
