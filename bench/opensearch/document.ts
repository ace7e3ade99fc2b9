import type { LocationsFile } from '../../demo/places.js';
import { wordsOf } from '../../src/events/index/values/fold.js';
import type { Declaration, DeclarationValue, EventRecord, LegalStatus } from '../../src/kernel/domain/event-record.js';

/** The ancestors of each place from the top, and the place itself at the end. */
export type Hierarchy = ReadonlyMap<string, readonly string[]>;

export function hierarchyOf({ administrativeAreas, locations }: LocationsFile): Hierarchy {
  const hierarchy = new Map<string, readonly string[]>();
  for (const { id, partOf } of [...administrativeAreas, ...locations]) {
    hierarchy.set(id, [...(hierarchy.get(partOf ?? '') ?? []), id]);
  }
  return hierarchy;
}

/** Dots in an id of a field would be levels of an object to OpenSearch. */
export const encodedField = (id: string): string => id.replaceAll('.', '____');

/** What a value is searched by beside its parts: the words of a whole name, and of the text of an address. */
export const WORDS = { name: '__fullname', address: '__text' } as const;

/**
 * A record as OpenCRVS indexes it: each place as the list of its ancestors and itself, so that `within` is one term;
 * names with one more field for all of their words. Those are folded here, as Matricula folds words (S-11), so that
 * both find the same.
 */
export function documentOf(record: EventRecord, hierarchy: Hierarchy): object {
  const { DECLARED, REGISTERED } = record.legalStatuses;
  const path = (id: string | null): readonly string[] | null => (id === null ? null : (hierarchy.get(id) ?? [id]));
  const legalStatus = (status: LegalStatus | null): object | null =>
    status === null ? null : { ...status, createdAtLocation: path(status.createdAtLocation) };
  return {
    ...record,
    placeOfEvent: path(record.placeOfEvent),
    createdAtLocation: path(record.createdAtLocation),
    updatedAtLocation: path(record.updatedAtLocation),
    legalStatuses: { DECLARED: legalStatus(DECLARED), REGISTERED: legalStatus(REGISTERED) },
    declaration: declarationOf(record.declaration, hierarchy),
  };
}

const declarationOf = (declaration: Declaration, hierarchy: Hierarchy): object =>
  Object.fromEntries(
    Object.entries(declaration).map(([id, value]) => [encodedField(id), indexedValue(value, hierarchy)]),
  );

function indexedValue(value: DeclarationValue, hierarchy: Hierarchy): unknown {
  if (typeof value === 'string') return hierarchy.get(value) ?? value;
  if (typeof value !== 'object') return value;
  if ('firstname' in value) return { ...value, [WORDS.name]: textOf(value) };
  if (!('administrativeArea' in value)) return value;
  const { administrativeArea, streetLevelDetails } = value;
  return {
    ...value,
    administrativeArea:
      typeof administrativeArea === 'string' ? (hierarchy.get(administrativeArea) ?? administrativeArea) : undefined,
    ...(typeof streetLevelDetails === 'object' && { [WORDS.address]: textOf(streetLevelDetails) }),
  };
}

const textOf = (parts: object): string => wordsOf(Object.values(parts).join(' ')).join(' ');
