import type { NearWord } from '../../src/events/index/terms/near-words.js';
import { ALL_BUT_YEARS } from '../../src/events/index/terms/terms.js';
import { KnownShapes, type Shape } from '../../src/events/index/terms/vocabulary.js';
import { type DataPath, fieldOf } from '../../src/events/index/values/data-path.js';
import { type SearchContext, TermRoom } from '../../src/events/search/predicate/search-context.js';
import { TERMS } from './terms.js';

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
/** A word of letters, another for each number. */
const wordOf = (at: number): string => Array.from(String(at), (digit) => 'bcdfghjklm'.charAt(Number(digit))).join('a');

const anyOf = (terms: readonly string[]) => ({ type: 'anyOf', terms });
const fuzzy = (term: string) => ({ type: 'fuzzy', term });
const words = (count: number, from = 0): string => times(count, (at) => wordOf(100 + from + at)).join(' ');
const names = (count: number, from = 0): string[] => times(count, (at) => `Musonda ${wordOf(from + at)}`);
const spread = <T>(list: readonly T[], count: number): T[][] =>
  times(count, (at) => list.filter((_, place) => place % count === at));

/** What Q-1 always permits, each by itself, in several forms. */
export const WIDEST: Readonly<Record<string, readonly object[]>> = {
  '2,000 names in two lists': times(2, (at) => ({ data: { 'child.name': anyOf(names(1_000, at * 1_000)) } })),
  '2,000 names of 63 characters': times(2, (at) => ({
    data: { 'child.name': anyOf(times(1_000, (of) => words(30, at * 1_000 + of).slice(0, 63))) },
  })),
  '2,000 terms in 2,000 fields': [
    { data: Object.fromEntries(times(2_000, (at) => [`f${at}`, { type: 'exact', term: `Musonda ${wordOf(at)}` }])) },
  ],
  '2,000 terms beside a fuzzy word': [
    {
      data: {
        ...Object.fromEntries(times(1_985, (at) => [`f${at}`, { type: 'exact', term: `Musonda ${wordOf(at)}` }])),
        'child.name': fuzzy('Musonda'),
      },
    },
  ],
  '2,000 dates in maps': times(2, (at) => ({
    data: { 'child.address': { a: { b: anyOf(times(1_000, (of) => `Street ${wordOf(at * 1_000 + of)}`)) } } },
  })),
  '2,000 statuses': times(2, (at) => ({ 'legalStatuses.DECLARED.createdByRole': anyOf(names(1_000, at)) })),
  '2,000 terms, nested': spread(names(2_000), 400).reduce<object[]>(
    (inner, terms, at) => [
      { data: { [`f${at % 7}`]: anyOf(terms) } },
      ...(at % 29 === 28 ? [{ type: at % 2 === 0 ? 'and' : 'or', clauses: inner }] : inner),
    ],
    [],
  ),
  'four conditions of ten terms on any field': times(4, (at) => ({ data: anyOf(names(10, at * 10)) })),
  'forty words in one term': [{ data: { 'child.name': fuzzy(words(40)) } }],
  'forty words in terms of two': times(20, (at) => ({ data: { [`f${at}.name`]: fuzzy(words(2, 2 * at)) } })),
  'forty words in forty conditions': times(40, (at) => ({ data: { 'child.name': fuzzy(words(1, at)) } })),
  'forty words on any field': times(4, (at) => ({ data: fuzzy(words(10, 10 * at)) })),
  'forty words inside values': times(4, (at) => ({ data: { 'child.address': { town: fuzzy(words(10, 10 * at)) } } })),
};

/** All kinds of values, and `near` near words of each word, at every path: what somebody may have stored. */
export function crowdedWith(near: number, kinds?: ReadonlySet<string>, fields = 20): SearchContext {
  const paths = times(fields, (at) => fieldOf(`f${at}.name`));
  const years = times(120, (at) => `year ${1900 + at}` as const);
  const shape: Shape = { has: () => true, years: times(120, (at) => String(1900 + at)) };
  const has = (aspect: string): boolean =>
    kinds?.has(aspect) ?? (aspect !== 'several' && aspect !== 'digits' && aspect !== 'long');
  const shapes = new KnownShapes(
    paths.map((path) => ({
      path,
      isField: true,
      aspects: [...ALL_BUT_YEARS.filter(has), ...years],
    })),
  );
  const known = new Map<string, readonly NearWord[]>();
  const nearTo = (word: string): readonly NearWord[] => {
    const found =
      known.get(word) ?? times(near, (at) => ({ word: `${word}${at}`, edits: at === 0 ? 0 : 1 + (at % 2) }));
    known.set(word, found);
    return found;
  };
  return {
    now: new Date(0),
    timezone: 'UTC',
    below: () => [],
    terms: TERMS,
    room: new TermRoom(),
    dictionary: {
      at: (_, word) => nearTo(word),
      inEachField: (word) => ({
        words: nearTo(word),
        byField: new Map<DataPath, readonly NearWord[]>(paths.map((path) => [path, nearTo(word)])),
      }),
      fieldsOf: () => new Set(paths),
    },
    shapes: {
      fieldsWith: (aspect) => shapes.fieldsWith(aspect),
      field: () => ({ ...shape, has }),
      inside: () => ({ ...shape, has }),
    },
  };
}
