import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EventRecord } from '../../../kernel/domain/event-record.js';
import { fieldsOn } from '../../../kernel/domain/searched-fields.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { Database } from '../../../platform/database/pools/database.js';
import { DATA, type DataPath, keyOf } from '../values/data-path.js';
import { type Halves, sipHash, type SipKey } from './sip-hash.js';

/** Countable values may have a bitmap, and decide. Others, as numerous as people, are rechecked on the record. */
export type Counting =
  | 'always'
  /** At most 64 UTF-16 units, without a digit and an `@`. */
  | 'words'
  /** At most 6 UTF-16 units. */
  | 'short'
  | 'never';

/** A value of a kind, in a record or a condition. */
export interface Term {
  /** The lowest bit is set unless the term is countable. */
  readonly hash: bigint;
  readonly isCountable: boolean;
}

const LONGEST_PREFIX = 512;
const LONGEST_WORDS = 64;
const SHORT = 6;
const DIGIT_OR_AT = /[\d@]/;

const halves: Halves = { high: 0, low: 0 };
const lanes = new DataView(new ArrayBuffer(8));

/** A metadata field, or an aspect of a field, with a key of its own: no two kinds share a term. */
export class TermKind {
  private readonly key: SipKey;
  private readonly mayCount: boolean;

  /** `prefix` names the kind, and begins that of no other. */
  constructor(
    key: SipKey,
    prefix: string,
    private readonly counting: Counting,
  ) {
    this.key = keyOfKind(key, prefix);
    this.mayCount = prefix.length <= LONGEST_PREFIX;
  }

  term(value: string): Term {
    const isCountable = this.mayCount && this.counts(value);
    sipHash(this.key, value, halves);
    lanes.setInt32(0, halves.high);
    lanes.setInt32(4, isCountable ? halves.low & ~1 : halves.low | 1);
    return { hash: lanes.getBigInt64(0), isCountable };
  }

  private counts(value: string): boolean {
    switch (this.counting) {
      case 'always':
        return true;
      case 'words':
        return value.length <= LONGEST_WORDS && !DIGIT_OR_AT.test(value);
      case 'short':
        return value.length <= SHORT;
      case 'never':
        return false;
    }
  }
}

function keyOfKind(key: SipKey, prefix: string): SipKey {
  sipHash(key, `0${prefix}`, halves);
  const { high, low } = halves;
  sipHash(key, `1${prefix}`, halves);
  return [low, high, halves.low, halves.high];
}

/** Mostly rare. */
export const isUncountable = (hash: bigint): boolean => (hash & 1n) === 1n;

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

type MetadataField = (typeof METADATA)[number]['field'];

const SHARED = fieldsOn('text').flatMap(({ search, read }) =>
  search.values === 'unique'
    ? []
    : [
        {
          field: search.terms,
          // Ids are as numerous as people.
          counting: search.values === 'words' ? ('always' as const) : ('never' as const),
          valuesOf: (record: EventRecord): readonly (string | null)[] => [read(record)],
        },
      ],
);

const METADATA = [
  ...SHARED,
  { field: 'flag' as const, counting: 'always' as const, valuesOf: (record: EventRecord) => record.flags },
];

/** The aspects of one field. */
export class FieldKinds {
  private readonly kinds = new Map<TermAspect, TermKind>();
  private readonly id: string;

  constructor(
    private readonly key: SipKey,
    path: DataPath,
  ) {
    if (!path.startsWith(`${DATA}/`)) throw new RangeError(`${path} is no field`);
    const id = keyOf(path);
    // With its length, no prefix begins another.
    this.id = `${id.length} ${id}`;
  }

  kind(aspect: TermAspect): TermKind {
    const known = this.kinds.get(aspect);
    if (known !== undefined) return known;
    const kind = new TermKind(this.key, `${aspect} ${this.id} `, ASPECTS[aspect]);
    this.kinds.set(aspect, kind);
    return kind;
  }
}

/** Bounds the memory of invented fields; forms have some hundred. */
const MOST_FIELDS = 2_000;

/** The terms under the key of one database: 64-bit pseudo-random hashes of `field=value`, stored with records (S-5). */
export class Terms {
  private readonly metadata: Readonly<Record<MetadataField, TermKind>>;
  private readonly fields = new LRUCache<DataPath, FieldKinds>({ max: MOST_FIELDS });
  private readonly areas = new Map<string, WeakMap<readonly string[], bigint>>();

  constructor(private readonly key: SipKey) {
    this.metadata = Object.fromEntries(
      METADATA.map(({ field, counting }) => [field, new TermKind(key, `${field}=`, counting)]),
    ) as Record<MetadataField, TermKind>;
  }

  ofMetadata(field: MetadataField, value: string): bigint {
    return this.metadata[field].term(value).hash;
  }

  visitMetadata(record: EventRecord, add: (hash: bigint) => void): void {
    for (const { field, valuesOf } of METADATA) {
      for (const value of valuesOf(record)) if (value !== null) add(this.ofMetadata(field, value));
    }
  }

  field(path: DataPath): FieldKinds {
    const known = this.fields.get(path);
    if (known !== undefined) return known;
    const kinds = new FieldKinds(this.key, path);
    this.fields.set(path, kinds);
    return kinds;
  }

  /**
   * Names the bitmap of the records whose `column` is one of the places; no record has it. Another set of places, as
   * after a move, has another name. The hierarchy keeps one list per area.
   */
  ofPlaces(column: string, places: readonly string[]): bigint {
    const ofColumn = this.areas.get(column) ?? new WeakMap<readonly string[], bigint>();
    this.areas.set(column, ofColumn);
    const known = ofColumn.get(places);
    if (known !== undefined) return known;
    const { hash } = new TermKind(this.key, `within ${column} `, 'always').term(places.toSorted().join());
    ofColumn.set(places, hash);
    return hash;
  }
}

/** The key is made with the schema, so that dumps and replicas have it. */
export async function readTerms(reader: Queryable): Promise<Terms> {
  const [row] = await reader.query<{ key: Buffer }>(sql`select key from term_key`);
  if (row === undefined) throw new Error('the database has no key of terms');
  const words = [0, 4, 8, 12].map((at) => row.key.readInt32LE(at));
  const [a = 0, b = 0, c = 0, d = 0] = words;
  return new Terms([a, b, c, d]);
}

/** Read once for each server. */
@Injectable()
export class KnownTerms {
  private read: Promise<Terms> | undefined;

  constructor(private readonly database: Database) {
    database.primary.onNewServer(() => {
      this.read = undefined;
    });
  }

  current(): Promise<Terms> {
    if (this.read === undefined) {
      const read = readTerms(this.database);
      this.read = read;
      read.catch(() => {
        if (this.read === read) this.read = undefined;
      });
    }
    return this.read;
  }
}
