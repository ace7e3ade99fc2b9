import { CLI } from '../../platform/audit/audit-entry.js';
import { auditRow, writeRows } from '../../platform/audit/audit-row.js';
import type { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { dayIn } from '../../kernel/domain/day-in.js';
import { MOST_VERSIONS, type Place, type VersionedPlace } from '../../kernel/domain/location.js';
import { newUuid } from '../../kernel/domain/uuid.js';
import { Faults, memberPath } from '../../kernel/errors/faults.js';
import { sql } from '../../kernel/sql/sql.js';
import { type FiledPlace, parseLocationsFile } from './locations-file.js';
import { clashesAmong, readVersionedPlaces, stateOn, versionsAfterImport, writeVersions } from './place-versions.js';

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
