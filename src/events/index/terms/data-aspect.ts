import { LRUCache } from 'lru-cache';

import type { DataPath } from '../values/data-path.js';
import { DATA, keyOf } from '../values/data-path.js';
import type { Counting } from './term-kind.js';
import { TermKind } from './term-kind.js';

/** The aspects of a declaration field, and which of their values are countable. */
const ASPECTS = {
  /** A whole text, as `Fact.t`, unless it is one of the following three. */
  text: 'words',
  /** A whole text that is its own only word. */
  sole: 'words',
  /** A whole text that fuzzy conditions do not apply to: a boolean, the name of a file. */
  plain: 'words',
  /** A whole text that is a UUID. */
  place: 'always',
  /** One word of a text, but for `sole`. */
  word: 'words',
  /** One word of a name. */
  nameWord: 'words',
  /** What two or three neighbouring words of a part of a name make together. */
  nameJoin: 'words',
  /** A date. */
  day: 'always',
  /** Its month, `YYYY-MM`. */
  month: 'always',
  number: 'short',
  /** Its `bucketOf`. */
  bucket: 'always',
  /** The country of an address. */
  country: 'always',
  /** The administrative area of an address. */
  area: 'always',
  /** That there is a date range. */
  range: 'never',
  /** That there is a text without indexed words. */
  long: 'never',
  /** The first character of a text that begins with a digit, but for `digits`. */
  head: 'never',
  /** One word of a text or name inside a value, unless it is a word of the field too. */
  inside: 'never',
  /** A whole text inside a value, without indexed words. */
  whole: 'never',
} satisfies Record<string, Counting>;

/** An aspect of a field that has terms. */
export type TermAspect = keyof typeof ASPECTS;

/** Further facts about the values at a path. */
const FACTS = [
  /** Of a field: values with several facts that have words, so that two words may belong to two of them. */
  'several',
  /** Of a field: texts that begin with a digit and have no `head`. */
  'digits',
  /** Of a field: texts of several words without a term of the whole. */
  'alternative',
  /** Of a field: a date range inside a value. */
  'insideRange',
  /** Of a path inside a field: texts without indexed words. */
  'opaque',
  /** Of a path inside a field: texts with a UUID in them. */
  'id',
] as const;

/** Of a field: dates of that year. */
export type YearAspect = `year ${string}`;

/** What is known of the values at a path. */
export type ShapeAspect = TermAspect | (typeof FACTS)[number] | YearAspect;

/** All aspects but for the years. */
export const ALL_BUT_YEARS: readonly ShapeAspect[] = [...(Object.keys(ASPECTS) as TermAspect[]), ...FACTS];

/** The kinds of a field's terms. */
export class FieldKinds {
  private readonly kinds = new Map<TermAspect | 'several', TermKind>();
  private readonly id: string;

  constructor(readonly path: DataPath) {
    const id = keyOf(path);
    // The length keeps an id that contains a space from producing the term of another.
    this.id = `${id.length} ${id}`;
  }

  kind(aspect: TermAspect | 'several'): TermKind {
    const known = this.kinds.get(aspect);
    if (known !== undefined) return known;
    const kind = new TermKind(`${aspect} ${this.id} `, aspect === 'several' ? 'never' : ASPECTS[aspect]);
    this.kinds.set(aspect, kind);
    return kind;
  }
}

/** Forms have some hundred fields; made-up ones must not fill the memory. */
const MOST_FIELDS = 2_000;

const fields = new LRUCache<DataPath, FieldKinds>({ max: MOST_FIELDS });

/** The kinds of the terms of a field. */
export function kindsOf(field: DataPath): FieldKinds {
  const known = fields.get(field);
  if (known !== undefined) return known;
  if (!field.startsWith(`${DATA}/`)) throw new RangeError(`${field} is no field`);
  const kinds = new FieldKinds(field);
  fields.set(field, kinds);
  return kinds;
}
