import { type CalendarDate, dayIn } from '../../kernel/domain/calendar.js';
import { MOST_VERSIONS, type Place, type VersionedPlace } from '../../kernel/domain/location.js';
import { newUuid, parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { Faults, memberPath } from '../../kernel/errors/faults.js';
import { isName, isObject, NAME_EXPECTED } from '../../kernel/input/checks.js';
import { Members, type Reader, UUID } from '../../kernel/input/readers.js';
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

/** `known` places keep their parent unless it changes. Throws 400 with every fault and its place. */
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
  Members.of(file, '', faults)?.refuseOthersThan(new Set(Object.keys(LISTS)));
  const lists = Object.entries(LISTS).filter(([key]) => Object.hasOwn(file, key));
  if (lists.length === 0) faults.add('', 'must have one of the lists administrativeAreas and locations');
  return lists.flatMap(([key, kind]) => readList(file[key], key, kind, reading));
}

function readList(list: unknown, path: string, kind: Place['kind'], reading: Reading): readonly FiledPlace[] {
  if (Array.isArray(list)) {
    return list.flatMap((item: unknown, at) => readPlace(item, memberPath(path, at), kind, reading));
  }
  reading.faults.add(path, 'must be a list');
  return [];
}

const AREA_KEYS = new Set(['id', 'name', 'partOf', 'externalId']);
const LOCATION_KEYS = new Set([...AREA_KEYS, 'locationType']);

const VISIBLE: Reader<string> = { expected: NAME_EXPECTED, read: (value) => (isName(value) ? value : undefined) };

/** Null at the top. */
const PARENT: Reader<Uuid | null> = {
  expected: 'must be an id, "Location/<id>", "0"',
  read: (value) => {
    const id = typeof value === 'string' ? value.replace(/^Location\//, '') : value;
    return id === '0' ? null : parseUuid(id);
  },
};

/** Empty without an id; otherwise relations are checked despite other faults. */
function readPlace(
  item: unknown,
  path: string,
  kind: Place['kind'],
  { known, faults }: Reading,
): readonly FiledPlace[] {
  const members = Members.of(item, path, faults);
  if (members === undefined || !isObject(item)) return [];
  members.refuseOthersThan(kind === 'location' ? LOCATION_KEYS : AREA_KEYS);
  const id = members.required('id', UUID);
  const name = members.required('name', VISIBLE);
  const partOf = members.nullable('partOf', PARENT);
  const locationType = kind === 'location' ? members.nullable('locationType', VISIBLE) : null;
  const externalId = item['externalId'] === undefined ? undefined : members.nullable('externalId', VISIBLE);
  if (UUID.read(item['id']) === undefined) return [];
  const isPlaced = item['partOf'] !== undefined;
  const place = { id, kind, name, partOf: isPlaced ? partOf : (known.get(id)?.partOf ?? null) };
  return [{ path, place: { ...place, locationType, externalId } }];
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

/** In one transaction; other places stay, and changed names hold from `today`. 400 with every fault. */
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
