import type { EventRecord } from '../../domain/event-record.js';
import { fieldsOn } from '../../domain/searched-fields.js';
import type { Term } from './term-kind.js';
import { TermKind } from './term-kind.js';

/** A part of a record's metadata that has terms: what their texts begin with. */
export type Facet = (typeof SHARED)[number]['facet'] | 'flag';

interface FacetOfRecord {
  readonly facet: Facet;
  readonly valuesOf: (record: EventRecord) => readonly (string | null)[];
  /** Of the others there are as many values as people. */
  readonly isCountable: boolean;
}

const SHARED = fieldsOn('text').flatMap(({ search, read }) =>
  search.values === 'unique'
    ? []
    : [
        {
          facet: search.terms,
          valuesOf: (record: EventRecord) => [read(record)],
          isCountable: search.values === 'words',
        },
      ],
);

const FLAG: FacetOfRecord = { facet: 'flag', valuesOf: (record) => record.flags, isCountable: true };

/** Rows have their terms in this order: another is another fingerprint of what is derived. */
const FACETS: readonly FacetOfRecord[] = [...SHARED.slice(0, 2), FLAG, ...SHARED.slice(2)];

const KINDS = new Map(
  FACETS.map(({ facet, isCountable }) => [facet, new TermKind(`${facet}=`, isCountable ? 'always' : 'never')]),
);

/** The term of a record whose facet has the value. */
export function termOfFacet(facet: Facet, value: string): Term {
  const kind = KINDS.get(facet);
  if (kind === undefined) throw new RangeError(`${facet} is no facet`);
  return kind.term(value);
}

/** Its hash. */
export const facetTerm = (facet: Facet, value: string): bigint => termOfFacet(facet, value).hash;

/** Whether a term of this text is one of metadata. */
export const isOfMetadata = (text: string): boolean =>
  [...KINDS.values()].some(({ prefix }) => text.startsWith(prefix));

/** Calls `add` with each value of a record's metadata that has a term, by which one index finds it. */
export function visitFacets(record: EventRecord, add: (kind: TermKind, value: string) => void): void {
  for (const { facet, valuesOf } of FACETS) {
    const kind = KINDS.get(facet);
    for (const value of valuesOf(record)) if (value !== null && kind !== undefined) add(kind, value);
  }
}
