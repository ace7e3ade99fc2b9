import type { EventRecord } from '../../domain/event-record.js';
import type { Term } from './term-kind.js';
import { TermKind } from './term-kind.js';

const FACET_VALUES = {
  type: (record: EventRecord) => [record.type],
  status: (record: EventRecord) => [record.status],
  flag: (record: EventRecord) => record.flags,
  createdBy: (record: EventRecord) => [record.createdBy],
  createdByUserType: (record: EventRecord) => [record.createdByUserType],
  updatedBy: (record: EventRecord) => [record.updatedBy],
  updatedByUserRole: (record: EventRecord) => [record.updatedByUserRole],
  assignedTo: (record: EventRecord) => [record.assignedTo],
  declaredByRole: ({ legalStatuses }: EventRecord) => [legalStatuses.DECLARED?.createdByRole ?? null],
  registeredByRole: ({ legalStatuses }: EventRecord) => [legalStatuses.REGISTERED?.createdByRole ?? null],
} satisfies Record<string, (record: EventRecord) => readonly (string | null)[]>;

/** A part of a record's metadata that has terms. */
export type Facet = keyof typeof FACET_VALUES;

/** Of the others there are as many values as people. */
const COUNTABLE: ReadonlySet<Facet> = new Set<Facet>([
  'type',
  'status',
  'flag',
  'createdByUserType',
  'updatedByUserRole',
  'declaredByRole',
  'registeredByRole',
]);

const FACETS = Object.entries(FACET_VALUES) as [Facet, (record: EventRecord) => readonly (string | null)[]][];

const KINDS = new Map(
  FACETS.map(([facet]) => [facet, new TermKind(`${facet}=`, COUNTABLE.has(facet) ? 'always' : 'never')]),
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
  for (const [facet, valuesOf] of FACETS) {
    const kind = KINDS.get(facet);
    for (const value of valuesOf(record)) if (value !== null && kind !== undefined) add(kind, value);
  }
}
