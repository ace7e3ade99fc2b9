import type { Place } from '../domain/location.js';
import type { Uuid } from '../domain/uuid.js';
import { parseUuid } from '../domain/uuid.js';
import { isWellFormedText, WELL_FORMED_TEXT } from '../domain/well-formed-text.js';
import { Faults } from '../errors/faults.js';
import { memberPath } from '../errors/issue-path.js';

/** A place of the file, and where in the file it stands. */
export interface PlaceEntry {
  readonly place: Place;
  readonly path: string;
}

type Kind = Place['kind'];

const LISTS: readonly (readonly [key: string, kind: Kind])[] = [
  ['administrativeAreas', 'administrativeArea'],
  ['locations', 'location'],
];

const KEYS: Readonly<Record<Kind, readonly string[]>> = {
  administrativeArea: ['id', 'name', 'partOf'],
  location: ['id', 'name', 'partOf', 'locationType'],
};

/**
 * The places of a locations file, `{administrativeAreas: […], locations: […]}`; either list may be absent. Throws
 * 400 with every fault of shape, and every id that stands twice. Whether parents exist, `checkHierarchy` says.
 */
export function parseLocationsFile(value: unknown): readonly PlaceEntry[] {
  const faults = new Faults();
  const entries = isObject(value) ? readLists(value, faults) : [];
  if (!isObject(value)) faults.add('', 'must be an object with administrativeAreas and locations');
  const seen = new Set<string>();
  for (const { place, path } of entries) {
    if (seen.has(place.id)) faults.add(memberPath(path, 'id'), `${place.id} stands twice in the file`);
    seen.add(place.id);
  }
  faults.throwIfAny('The file cannot be imported');
  return entries;
}

function readLists(file: Readonly<Record<string, unknown>>, faults: Faults): PlaceEntry[] {
  refuseUnknownKeys(
    file,
    LISTS.map(([key]) => key),
    '',
    faults,
  );
  return LISTS.flatMap(([key, kind]) => {
    const list = file[key] ?? [];
    if (!Array.isArray(list)) {
      faults.add(key, 'must be an array');
      return [];
    }
    return list.flatMap((item: unknown, at) => readPlace(item, kind, memberPath(key, at), faults));
  });
}

function readPlace(item: unknown, kind: Kind, path: string, faults: Faults): PlaceEntry[] {
  if (!isObject(item)) {
    faults.add(path, 'must be an object');
    return [];
  }
  refuseUnknownKeys(item, KEYS[kind], path, faults);
  const id = parseUuid(item['id']);
  if (id === undefined) faults.add(memberPath(path, 'id'), 'must be a UUID');
  const name = readText(item['name'], memberPath(path, 'name'), faults);
  const partOf = readPartOf(item['partOf'], memberPath(path, 'partOf'), faults);
  const locationType =
    item['locationType'] == null ? null : readText(item['locationType'], memberPath(path, 'locationType'), faults);
  if (id === undefined || name === undefined || partOf === undefined || locationType === undefined) return [];
  return [{ place: { id, kind, name, partOf, locationType }, path }];
}

function readText(value: unknown, path: string, faults: Faults): string | undefined {
  if (typeof value === 'string' && value.trim() !== '' && isWellFormedText(value)) return value;
  const isSound = typeof value !== 'string' || isWellFormedText(value);
  faults.add(path, isSound ? 'must be text that is not empty' : WELL_FORMED_TEXT);
  return undefined;
}

/** An id, `Location/<id>`, or `0`, null and absence at the top. */
function readPartOf(value: unknown, path: string, faults: Faults): Uuid | null | undefined {
  if (value == null || value === '0' || value === 'Location/0') return null;
  const id = typeof value === 'string' ? parseUuid(value.replace(/^Location\//, '')) : undefined;
  if (id === undefined) faults.add(path, 'must be a UUID, "Location/<UUID>", or "0" or null at the top');
  return id;
}

function refuseUnknownKeys(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: string,
  faults: Faults,
): void {
  for (const key of Object.keys(object)) {
    if (!known.includes(key)) faults.add(memberPath(path, key), `unknown key; known are ${known.join(', ')}`);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
