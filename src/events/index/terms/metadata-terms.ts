import type { EventRecord } from '../../../kernel/domain/event-record.js';
import { fieldsOn } from '../../../kernel/domain/searched-fields.js';
import { type Term, TermKind } from './term-kind.js';

/** Prefixes of term texts. */
export type MetadataField = (typeof SHARED)[number]['field'] | 'flag';

interface TermsOfMetadata {
  readonly field: MetadataField;
  readonly kind: TermKind;
  readonly valuesOf: (record: EventRecord) => readonly (string | null)[];
}

/** Uncountable values are as numerous as people. */
const kindOf = (field: string, countable: boolean): TermKind =>
  new TermKind(`${field}=`, countable ? 'always' : 'never');

const SHARED = fieldsOn('text').flatMap(({ search, read }) =>
  search.values === 'unique'
    ? []
    : [
        {
          field: search.terms,
          kind: kindOf(search.terms, search.values === 'words'),
          valuesOf: (record: EventRecord) => [read(record)],
        },
      ],
);

const FLAG: TermsOfMetadata = { field: 'flag', kind: kindOf('flag', true), valuesOf: (record) => record.flags };

/** A change of order alters the fingerprint of derived data. */
const METADATA: readonly TermsOfMetadata[] = [...SHARED.slice(0, 2), FLAG, ...SHARED.slice(2)];

const KINDS = Object.fromEntries(METADATA.map(({ field, kind }) => [field, kind])) as Record<MetadataField, TermKind>;

export const termOfMetadata = (field: MetadataField, value: string): Term => KINDS[field].term(value);

export const metadataTerm = (field: MetadataField, value: string): bigint => termOfMetadata(field, value).hash;

export const isOfMetadata = (text: string): boolean => METADATA.some(({ kind }) => text.startsWith(kind.prefix));

export function visitMetadata(record: EventRecord, add: (kind: TermKind, value: string) => void): void {
  for (const { kind, valuesOf } of METADATA) {
    for (const value of valuesOf(record)) if (value !== null) add(kind, value);
  }
}
