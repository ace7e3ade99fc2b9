import type { EventRecord } from '../../domain/record/event-record.js';
import { fieldsOn } from '../../domain/record/searched-fields.js';
import type { Term } from './term-kind.js';
import { TermKind } from './term-kind.js';

/** A part of a record's metadata that has terms: the prefix of their texts. */
export type MetadataField = (typeof SHARED)[number]['field'] | 'flag';

interface TermsOfMetadata {
  readonly field: MetadataField;
  readonly valuesOf: (record: EventRecord) => readonly (string | null)[];
  /** The others have as many values as there are people. */
  readonly isCountable: boolean;
}

const SHARED = fieldsOn('text').flatMap(({ search, read }) =>
  search.values === 'unique'
    ? []
    : [
        {
          field: search.terms,
          valuesOf: (record: EventRecord) => [read(record)],
          isCountable: search.values === 'words',
        },
      ],
);

const FLAG: TermsOfMetadata = { field: 'flag', valuesOf: (record) => record.flags, isCountable: true };

/** The order of terms in a row: changing it changes the fingerprint of derived data. */
const METADATA: readonly TermsOfMetadata[] = [...SHARED.slice(0, 2), FLAG, ...SHARED.slice(2)];

const KINDS = new Map(
  METADATA.map(({ field, isCountable }) => [field, new TermKind(`${field}=`, isCountable ? 'always' : 'never')]),
);

/** The term of a record whose metadata has the value. */
export function termOfMetadata(field: MetadataField, value: string): Term {
  const kind = KINDS.get(field);
  if (kind === undefined) throw new RangeError(`${field} is no field of metadata`);
  return kind.term(value);
}

/** Its hash. */
export const metadataTerm = (field: MetadataField, value: string): bigint => termOfMetadata(field, value).hash;

/** Whether this is the text of a term of metadata. */
export const isOfMetadata = (text: string): boolean =>
  [...KINDS.values()].some(({ prefix }) => text.startsWith(prefix));

/** Calls `add` with each value of a record's metadata that has a term, so that one index finds it. */
export function visitMetadata(record: EventRecord, add: (kind: TermKind, value: string) => void): void {
  for (const { field, valuesOf } of METADATA) {
    const kind = KINDS.get(field);
    for (const value of valuesOf(record)) if (value !== null && kind !== undefined) add(kind, value);
  }
}
