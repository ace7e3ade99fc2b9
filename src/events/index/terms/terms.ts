import { LRUCache } from 'lru-cache';

import type { EventRecord } from '../../../kernel/domain/event-record.js';
import { fieldsOn } from '../../../kernel/domain/searched-fields.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { DATA, type DataPath, keyOf } from '../values/data-path.js';
import { ASPECTS, type TermAspect } from './data-aspect.js';
import type { SipKey } from './sip-hash.js';
import { TermKind } from './term-kind.js';

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
