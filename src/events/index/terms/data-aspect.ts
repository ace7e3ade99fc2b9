import type { Counting } from './term-kind.js';

/** Aspects of a field, and their countable values. */
export const ASPECTS = {
  /** As `Fact.t`, except the following three. */
  text: 'words',
  /** A whole text that is its own only word. */
  sole: 'words',
  /** Without fuzzy conditions: a boolean, the name of a file. */
  plain: 'words',
  /** A UUID. */
  place: 'always',
  /** One word of a text, except `sole`. */
  word: 'words',
  /** One word of a name. */
  nameWord: 'words',
  /** Two or three neighbouring words of a name part, joined. */
  nameJoin: 'words',
  day: 'always',
  /** `YYYY-MM`. */
  month: 'always',
  number: 'short',
  /** `bucketOf` a number. */
  bucket: 'always',
  /** An address's. */
  country: 'always',
  /** An address's. */
  area: 'always',
  /** A date range is present. */
  range: 'never',
  /** A text without indexed words is present. */
  long: 'never',
  /** The first character of a text that begins with a digit, except `digits`. */
  head: 'never',
  /** A word of a text or name inside a value, unless the field has it. */
  inside: 'never',
  /** A whole text inside a value, without indexed words. */
  whole: 'never',
} satisfies Record<string, Counting>;

export type TermAspect = keyof typeof ASPECTS;

/** Further facts about the values at a path. */
const FACTS = [
  /** Field: values with several facts, to which two words may belong separately. */
  'several',
  /** Field: texts that begin with a digit without a `head`. */
  'digits',
  /** Field: texts of several words without a whole term. */
  'alternative',
  /** Field: a date range inside a value. */
  'insideRange',
  /** Inside: texts without indexed words. */
  'opaque',
  /** Inside: texts that contain a UUID. */
  'id',
] as const;

/** Dates of that year. */
export type YearAspect = `year ${string}`;

export type ShapeAspect = TermAspect | (typeof FACTS)[number] | YearAspect;

export const ALL_BUT_YEARS: readonly ShapeAspect[] = [...(Object.keys(ASPECTS) as TermAspect[]), ...FACTS];
