import type { Database, Transaction } from '../database/database.js';
import type { Place } from '../domain/location.js';
import { sql } from '../sql/sql.js';
import { checkHierarchy } from './check-hierarchy.js';
import type { PlaceEntry } from './parse-locations-file.js';
import { parseLocationsFile } from './parse-locations-file.js';

/** Any number that no other program takes for an advisory lock. */
const PLACES_LOCK = 7_265_003;

export interface LocationsImported {
  readonly administrativeAreas: number;
  readonly locations: number;
}

/**
 * Puts the places of a locations file into the hierarchy, by id; those that the file does not name stay. All of
 * the file or nothing: throws 400 with every fault.
 */
export async function importLocations(database: Database, file: unknown): Promise<LocationsImported> {
  const entries = parseLocationsFile(file);
  await database.transaction(async (transaction) => {
    // Two imports at once could each be sound, and a loop together.
    await transaction.query(sql`select pg_advisory_xact_lock(${PLACES_LOCK})`);
    const stored = await transaction.query<Place>(sql`select id, kind, part_of as "partOf" from place`);
    checkHierarchy(entries, stored);
    await store(transaction, entries);
    await transaction.query(sql`select pg_notify('places_changed', '')`);
  });
  const areas = entries.filter(({ place }) => place.kind === 'administrativeArea').length;
  return { administrativeAreas: areas, locations: entries.length - areas };
}

const store = (transaction: Transaction, entries: readonly PlaceEntry[]): Promise<unknown> =>
  transaction.query(
    sql`insert into place (id, kind, name, part_of, location_type)
        select id, kind, name, part_of, location_type
        from jsonb_to_recordset(${JSON.stringify(entries.map(({ place }) => row(place)))}::jsonb)
          as entry (id uuid, kind text, name text, part_of uuid, location_type text)
        on conflict (id) do update
          set kind = excluded.kind, name = excluded.name, part_of = excluded.part_of,
              location_type = excluded.location_type`,
  );

const row = ({ id, kind, name, partOf, locationType }: Place): Readonly<Record<string, string | null>> => ({
  id,
  kind,
  name,
  part_of: partOf,
  location_type: locationType,
});
