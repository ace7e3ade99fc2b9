import { TERMS } from '../../../../test/support/terms.js';
import type { Term } from '../../index/terms/terms.js';
import { fieldOf } from '../../index/values/data-path.js';
import type { CalendarDate } from '../../../kernel/domain/calendar.js';
import type { Years } from '../../index/terms/vocabulary.js';
import { type Field, TermRoom } from './search-context.js';
import { termsOfDates, termsOfDatesWith } from './value-terms.js';

const KINDS = TERMS.field(fieldOf('dob'));
const fieldWith = (years: Years): Field => ({
  path: fieldOf('dob'),
  shape: { has: () => true, years },
  kinds: KINDS,
  room: new TermRoom(),
});
const hashesOf = (terms: readonly Term[] | undefined): readonly bigint[] | undefined => terms?.map(({ hash }) => hash);
/** Of months and days. */
const meant = (dates: readonly string[]): readonly bigint[] =>
  dates.map((date) => KINDS.kind(date.length === 'YYYY-MM'.length ? 'month' : 'day').term(date).hash);
const between = (gte: string, lte: string, ...years: readonly string[]): readonly bigint[] | undefined =>
  hashesOf(termsOfDates({ gte: gte as CalendarDate, lte: lte as CalendarDate }, fieldWith(years)));

describe('the terms of dates', () => {
  it.each<[string, readonly bigint[] | undefined, readonly string[]]>([
    ['a month', between('2024-02-01', '2024-02-29', '2024'), ['2024-02']],
    ['a month to a day that it does not have', between('2024-02-01', '2024-02-29', '2023', '2024'), ['2024-02']],
    ['days of one month', between('2024-02-27', '2024-02-28', '2024'), ['2024-02-27', '2024-02-28']],
    ['a last day and a first', between('2024-03-31', '2024-04-01', '2024'), ['2024-03-31', '2024-04-01']],
    [
      'months, with days at both ends',
      between('2023-11-29', '2024-02-02', '2024', '2023'),
      ['2024-01', '2024-02-01', '2024-02-02', '2023-11-29', '2023-11-30', '2023-11-31', '2023-12'],
    ],
    ['years of which there are no dates', between('1990-01-01', '1999-12-31', '2024'), []],
  ])('of %s', (_, found, expected) => {
    expect(found).toEqual(meant(expected));
  });

  it('of ten thousand years are those of the years that there are', () => {
    expect(between('0001-01-01', '9999-12-31', '0001', '2024')).toHaveLength(24);
  });

  it('are those of the years asked for where there may be dates of any, unless these are too many', () => {
    const ofAny = (gte: string, lte: string) =>
      hashesOf(termsOfDates({ gte: gte as CalendarDate, lte: lte as CalendarDate }, fieldWith('any')));
    expect(ofAny('0999-12-30', '1000-01-31')).toEqual(meant(['0999-12-30', '0999-12-31', '1000-01']));
    expect(ofAny('1600-01-01', '1999-12-31')).toHaveLength(4_800);
    expect(ofAny('1600-01-01', '2000-12-31')).toBeUndefined();
    expect(ofAny('2000-01-01', '1999-12-31')).toEqual([]);
  });

  it('with a word are those of its year, and too many for a month, where there may be dates of any', () => {
    const withWord = (word: string) => hashesOf(termsOfDatesWith(word, 'any', KINDS));
    expect(withWord('1999')).toHaveLength(12);
    expect([withWord('ana'), withWord('02'), withWord('31')]).toEqual([[], undefined, undefined]);
  });

  it('with a word are those of its year, its month or its day', () => {
    const years = ['2023', '2024'];
    const withWord = (word: string) => hashesOf(termsOfDatesWith(word, years, KINDS));
    const months = Array.from({ length: 12 }, (_, at) => `2024-${String(at + 1).padStart(2, '0')}`);
    expect(withWord('2024')).toEqual(meant(months));
    expect(withWord('31')).toEqual(expect.arrayContaining(meant(['2023-12-31'])));
    expect(withWord('31')).toHaveLength(24);
    expect(withWord('02')).toEqual(expect.arrayContaining(meant(['2023-02', '2024-02', '2024-01-02'])));
    expect([withWord('1999'), withWord('32'), withWord('2')]).toEqual([[], [], []]);
  });
});
