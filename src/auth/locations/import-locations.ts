import { type CalendarDate, dayIn } from '../../kernel/domain/calendar.js';
import { MOST_VERSIONS, type Place, type VersionedPlace } from '../../kernel/domain/location.js';
import { newUuid, parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { Faults, memberPath } from '../../kernel/errors/faults.js';
import { isLeftOut, isName, isObject, NAME_EXPECTED } from '../../kernel/input/checks.js';
import { sql } from '../../kernel/sql/sql.js';
import { auditRow, CLI, writeRows } from '../../platform/audit/audit-entry.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Database } from '../../platform/database/pools/database.js';
import { clashesAmong, readVersionedPlaces, stateOn, versionsAfterImport, writeVersions } from './place-versions.js';

type Node = Pick<Place, 'id' | 'kind' | 'partOf'>;

interface PlaceInFile extends Place {
  /** Undefined where the file omits it. */
  readonly externalId: string | null | undefined;
}

export interface FiledPlace {
  readonly path: string;
  readonly place: PlaceInFile;
}

/** Records each fault. */
function checkHierarchy(filed: readonly FiledPlace[], known: ReadonlyMap<Uuid, Node>, faults: Faults): void {
  const byId = new Map<Uuid, FiledPlace>();
  for (const entry of filed) {
    const earlier = byId.get(entry.place.id);
    if (earlier === undefined) byId.set(entry.place.id, entry);
    else faults.add(memberPath(entry.path, 'id'), `is that of ${earlier.path} too`);
  }
  const placeOf = (id: Uuid): Node | undefined => byId.get(id)?.place ?? known.get(id);

  checkParents(filed, placeOf, faults);
  checkChildren(byId, known, faults);
  checkLoops([...byId.values()], placeOf, faults);
}

type PlaceOf = (id: Uuid) => Node | undefined;

function checkParents(filed: readonly FiledPlace[], placeOf: PlaceOf, faults: Faults): void {
  for (const { path, place } of filed) {
    if (place.partOf === null) continue;
    const parent = placeOf(place.partOf);
    if (parent === undefined)
      faults.add(memberPath(path, 'partOf'), `no administrative area has the id ${place.partOf}`);
    if (parent?.kind === 'location') {
      faults.add(memberPath(path, 'partOf'), `${parent.id} is a location, which cannot contain others`);
    }
  }
}

/** An area that becomes a location must not keep children. */
function checkChildren(byId: ReadonlyMap<Uuid, FiledPlace>, known: ReadonlyMap<Uuid, Node>, faults: Faults): void {
  for (const child of known.values()) {
    const parent = child.partOf === null || byId.has(child.id) ? undefined : byId.get(child.partOf);
    if (parent?.place.kind === 'location') {
      faults.add(parent.path, `contains ${child.id}, which a location cannot`);
    }
  }
}

/** Each loop once, at its first place in the file; known places have none. */
function checkLoops(filed: readonly FiledPlace[], placeOf: PlaceOf, faults: Faults): void {
  const cleared = new Set<Uuid>();
  for (const { path, place } of filed) {
    const way = new Set<Uuid>();
    let at: Node | undefined = place;
    while (at !== undefined && !cleared.has(at.id) && !way.has(at.id)) {
      way.add(at.id);
      at = at.partOf === null ? undefined : placeOf(at.partOf);
    }
    if (at !== undefined && way.has(at.id)) {
      const loop = [...way].slice([...way].indexOf(at.id));
      faults.add(memberPath(path, 'partOf'), `leads into a loop: ${[...loop, at.id].join(' is part of ')}`);
    }
    for (const id of way) cleared.add(id);
  }
}

const LISTS = { administrativeAreas: 'administrativeArea', locations: 'location' } as const;

type Known = ReadonlyMap<Uuid, Pick<Place, 'id' | 'kind' | 'partOf'>>;

interface Reading {
  readonly known: Known;
  readonly faults: Faults;
}

/**
 * Parses a locations file; `known` places keep their parent unless it changes. Throws 400 BAD_REQUEST with each
 * located fault: invalid file, repeated ids, unknown or unsuitable parents, loops.
 */
export function parseLocationsFile(file: unknown, known: Known): readonly FiledPlace[] {
  const faults = new Faults();
  const filed = readFile(file, { known, faults });
  checkHierarchy(filed, known, faults);
  faults.throwIfAny('The locations file cannot be imported');
  return filed;
}

function readFile(file: unknown, reading: Reading): readonly FiledPlace[] {
  const { faults } = reading;
  if (!isObject(file)) {
    faults.add('', 'must be an object with the lists administrativeAreas and locations');
    return [];
  }
  refuseOtherKeys(file, '', new Set(Object.keys(LISTS)), faults);
  const lists = Object.entries(LISTS).filter(([key]) => Object.hasOwn(file, key));
  if (lists.length === 0) faults.add('', 'must have one of the lists administrativeAreas and locations');
  return lists.flatMap(([key, kind]) => readList(file[key], key, kind, reading));
}

function readList(list: unknown, path: string, kind: Place['kind'], reading: Reading): readonly FiledPlace[] {
  if (!Array.isArray(list)) {
    reading.faults.add(path, 'must be a list');
    return [];
  }
  return list.flatMap((item: unknown, at) => readPlace(item, memberPath(path, at), kind, reading));
}

const AREA_KEYS = new Set(['id', 'name', 'partOf', 'externalId']);
const LOCATION_KEYS = new Set([...AREA_KEYS, 'locationType']);

/** Empty without an id; otherwise relations are checked despite other faults. */
function readPlace(item: unknown, path: string, kind: Place['kind'], reading: Reading): readonly FiledPlace[] {
  const { known, faults } = reading;
  if (!isObject(item)) {
    faults.add(path, 'must be an object');
    return [];
  }
  refuseOtherKeys(item, path, kind === 'location' ? LOCATION_KEYS : AREA_KEYS, faults);
  const { id: spelledId, name, partOf: spelledParent, locationType, externalId } = item;
  const id = parseUuid(spelledId);
  const partOf = readParent(spelledParent);
  const hasType = kind === 'location' && locationType !== undefined && locationType !== null;
  if (id === undefined) faults.add(memberPath(path, 'id'), 'must be a UUID');
  if (!isName(name)) faults.add(memberPath(path, 'name'), NAME_EXPECTED);
  if (partOf === undefined) faults.add(memberPath(path, 'partOf'), 'must be an id, "Location/<id>", "0" or null');
  if (hasType && !isName(locationType)) faults.add(memberPath(path, 'locationType'), `${NAME_EXPECTED}, or null`);
  const isIdentified = isName(externalId) || externalId === null || externalId === undefined;
  if (!isIdentified) faults.add(memberPath(path, 'externalId'), `${NAME_EXPECTED}, or null`);
  if (id === undefined) return [];
  const place: PlaceInFile = {
    id,
    kind,
    name: isName(name) ? name : '',
    partOf: (spelledParent === undefined ? known.get(id)?.partOf : partOf) ?? null,
    locationType: hasType && isName(locationType) ? locationType : null,
    externalId: isIdentified ? externalId : undefined,
  };
  return [{ path, place }];
}

/** Null at the top; undefined if invalid. */
function readParent(value: unknown): Uuid | null | undefined {
  if (isLeftOut(value)) return null;
  if (typeof value !== 'string') return undefined;
  const id = value.startsWith('Location/') ? value.slice('Location/'.length) : value;
  return id === '0' ? null : parseUuid(id);
}

function refuseOtherKeys(object: object, path: string, known: ReadonlySet<string>, faults: Faults): void {
  for (const key of Object.keys(object)) if (!known.has(key)) faults.add(memberPath(path, key), 'is not a known key');
}

export interface ImportedLocations {
  readonly administrativeAreas: number;
  readonly locations: number;
}

/** One writer at a time, since two valid changes can combine into a loop. Readers do not wait. */
export const LOCK_PLACES = sql`lock table place in share row exclusive mode`;

interface Imported {
  readonly filed: FiledPlace;
  readonly before: VersionedPlace | undefined;
  readonly after: VersionedPlace;
}

/**
 * Upserts a locations file in one transaction, and announces the change. Other places stay; changed names hold from
 * `today`. Throws 400 BAD_REQUEST with every fault.
 */
export async function importLocations(
  database: Database,
  file: unknown,
  today: CalendarDate = dayIn('UTC', new Date()),
): Promise<ImportedLocations> {
  return database.transaction(async (transaction) => {
    await transaction.query(LOCK_PLACES);
    const stored = await readVersionedPlaces(transaction, sql`true`);
    const known = new Map(stored.map((place) => [place.id, place]));
    const filed = parseLocationsFile(file, known);
    const imported = filed.map((one): Imported => {
      const { id, kind, partOf, locationType } = one.place;
      const before = known.get(id);
      const versions = versionsAfterImport(one.place, before, today, newUuid);
      return { filed: one, before, after: { id, kind, partOf, locationType, versions } };
    });
    refuseClashes(imported, known, today);
    await writePlaces(transaction, imported, today);
    const locations = imported.filter(({ after }) => after.kind === 'location').length;
    const counts = { administrativeAreas: imported.length - locations, locations };
    const row = auditRow({ ...CLI, operation: 'locations.import', requestData: counts, responseSummary: null });
    await writeRows(transaction, [row], { again: false });
    await transaction.query(sql`select pg_notify('places_changed', '')`);
    return counts;
  });
}

/** Refuses external ids in use, today or later, and places with too many versions. */
function refuseClashes(
  imported: readonly Imported[],
  known: ReadonlyMap<string, VersionedPlace>,
  today: CalendarDate,
): void {
  const named = new Set<string>(imported.map(({ after }) => after.id));
  const others = [...known.values()].filter(({ id }) => !named.has(id));
  const clashes = clashesAmong([...others, ...imported.map(({ after }) => after)], today);
  const faults = new Faults();
  for (const { filed, after } of imported) {
    if (after.versions.length > MOST_VERSIONS)
      faults.add(filed.path, `has ${MOST_VERSIONS} versions: no more can be added`);
    const externalId = clashes.get(after.id);
    if (externalId === undefined) continue;
    faults.add(memberPath(filed.path, 'externalId'), `another active place of its kind has ${externalId}`);
  }
  faults.throwIfAny('The locations file cannot be imported');
}

async function writePlaces(transaction: Queryable, imported: readonly Imported[], today: CalendarDate): Promise<void> {
  const changed = imported.filter(({ before, after }) => before === undefined || isOther(before, after));
  if (changed.length === 0) return;
  const places = changed.map(({ after }) => ({ ...after, name: stateOn(after.versions, today).name }));
  await transaction.query(sql`
    insert into place (id, kind, name, part_of, location_type)
    select * from unnest(
      ${places.map((place) => place.id)}::uuid[],
      ${places.map((place) => place.kind)}::text[],
      ${places.map((place) => place.name)}::text[],
      ${places.map((place) => place.partOf)}::uuid[],
      ${places.map((place) => place.locationType)}::text[])
        on conflict (id) do update
       set (kind, name, part_of, location_type) =
           (excluded.kind, excluded.name, excluded.part_of, excluded.location_type)`);
  const versions = changed.flatMap(({ before, after }) =>
    after.versions
      .filter((version) => before?.versions.includes(version) !== true)
      .map((version) => ({ ...version, place: after.id })),
  );
  await writeVersions(transaction, versions);
}

const isOther = (before: VersionedPlace, after: VersionedPlace): boolean =>
  before.versions !== after.versions ||
  (['kind', 'partOf', 'locationType'] satisfies readonly (keyof Place)[]).some((key) => before[key] !== after[key]);
