import { type CalendarDate, parseCalendarDate, parseDateTime } from '../../../kernel/domain/calendar.js';
import type { ValueCondition } from '../../../kernel/domain/search-request.js';
import { cleanText } from '../../../kernel/domain/text.js';
import { isSole } from '../../index/terms/terms-of-record.js';
import type { FieldKinds, Term } from '../../index/terms/terms.js';
import { MOST_YEARS, type Years } from '../../index/terms/vocabulary.js';
import { type AddressTerm, parseAddressTerm } from '../../index/values/address-term.js';
import { ignoringCase, wordsOf } from '../../index/values/fold.js';
import { numberOf } from '../../index/values/number-of.js';
import type { Field } from './search-context.js';

/** Inclusive. */
export interface Bounds<T> {
  readonly gte: T;
  readonly lte: T;
}

/** S-10. */
export interface ValueRange {
  readonly text: Bounds<string>;
  /** Undefined when a bound is not a number. */
  readonly number: Bounds<number> | undefined;
  /** Undefined when a bound is not a date, or no day lies between. */
  readonly date: Bounds<CalendarDate> | undefined;
}

export function readValueRange(from: string, to: string): ValueRange {
  const [gte, lte] = [cleanText(from), cleanText(to)];
  return {
    text: { gte, lte },
    number: boundsOf(numberOf(gte), numberOf(lte)),
    date: boundsOf(dateOf(gte), dateOf(lte)),
  };
}

const boundsOf = <T extends number | string>(gte: T | undefined, lte: T | undefined): Bounds<T> | undefined =>
  gte === undefined || lte === undefined || gte > lte ? undefined : { gte, lte };

/** A date, or the day in UTC of a date-time. */
const dateOf = (bound: string): CalendarDate | undefined =>
  parseCalendarDate(bound) ?? parseCalendarDate(parseDateTime(bound)?.instant.slice(0, 10));

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

const READ = new WeakMap<TermsCondition, ValueTerms>();

/** Memoized. */
export function valueTermsOf(condition: TermsCondition): ValueTerms {
  const read = READ.get(condition) ?? readValueTerms(termsOf(condition));
  READ.set(condition, read);
  return read;
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

/** Inclusive: days at the ends, months in between. Undefined if they are too many to be named. */
export function termsOfDates({ gte, lte }: Bounds<CalendarDate>, field: Field): readonly Term[] | undefined {
  const { shape, kinds, room } = field;
  const months = yearsWithin({ gte, lte }, shape.years)?.flatMap((year) => MONTHS.map((month) => `${year}-${month}`));
  if (months === undefined || !room.takes(months.length)) return undefined;
  return months.flatMap((month) => termsOfMonth(month, gte, lte, kinds));
}

/** Undefined if too many to be named. */
function yearsWithin({ gte, lte }: Bounds<CalendarDate>, years: Years): readonly string[] | undefined {
  const [first, last] = [gte.slice(0, 4), lte.slice(0, 4)];
  if (years !== 'any') return years.filter((year) => year >= first && year <= last);
  const count = Number(last) - Number(first) + 1;
  if (count > MOST_YEARS) return undefined;
  return Array.from({ length: Math.max(0, count) }, (_, at) => String(Number(first) + at).padStart(4, '0'));
}

function termsOfMonth(month: string, gte: string, lte: string, kinds: FieldKinds): readonly Term[] {
  // As text, the 31st is the last day of every month.
  const [first, last] = [`${month}-01`, `${month}-31`];
  if (last < gte || first > lte) return [];
  if (first >= gte && (last <= lte || lastDayOf(month) <= lte)) return [kinds.kind('month').term(month)];
  return DAYS.map((day) => `${month}-${day}`)
    .filter((day) => day >= gte && day <= lte)
    .map((day) => kinds.kind('day').term(day));
}

/** For a year, or a month or day of two digits. Undefined if the years are too many to be named. */
export function termsOfDatesWith(word: string, years: Years, kinds: FieldKinds): readonly Term[] | undefined {
  const months = kinds.kind('month');
  const isYear = years === 'any' ? YEAR.test(word) : years.includes(word);
  if (isYear) return MONTHS.map((month) => months.term(`${word}-${month}`));
  const isMonth = MONTHS.includes(word);
  if (!DAYS.includes(word)) return [];
  if (years === 'any') return undefined;
  return years.flatMap((year) =>
    MONTHS.map((month) =>
      isMonth && month === word ? months.term(`${year}-${month}`) : kinds.kind('day').term(`${year}-${month}-${word}`),
    ),
  );
}

const twoDigits = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => String(at + 1).padStart(2, '0'));

const YEAR = /^[0-9]{4}$/;
const MONTHS = twoDigits(12);
const DAYS = twoDigits(31);

function lastDayOf(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.toISOString().slice(0, 10);
}
