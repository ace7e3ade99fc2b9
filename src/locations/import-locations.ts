import type { Database } from '../database/pools/database.js';
import type { Queryable } from '../database/queryable.js';
import type { Place } from '../domain/location.js';
import { sql } from '../sql/sql.js';
import { parseLocationsFile } from './parse-locations-file.js';
import { readPlaces } from './read-places.js';

/** How many of each kind a file had. */
export interface ImportedLocations {
  readonly administrativeAreas: number;
  readonly locations: number;
}

/** One import at a time: two valid ones can make a loop together. Readers do not wait. */
export const LOCK_PLACES = sql`lock table place in share row exclusive mode`;

/**
 * Writes the places of a locations file, all or none, and announces the change: upserts by id, and places that the file
 * does not name stay. `onWritten` updates derived data in the same transaction. Throws 400 BAD_REQUEST with every
 * fault of the file.
 */
export async function importLocations(
  database: Database,
  file: unknown,
  onWritten: (transaction: Queryable) => Promise<void>,
): Promise<ImportedLocations> {
  const places = await database.transaction(async (transaction) => {
    await transaction.query(LOCK_PLACES);
    const known = await readPlaces(transaction);
    const parsed = parseLocationsFile(file, new Map(known.map((place) => [place.id, place])));
    await writePlaces(transaction, parsed);
    await onWritten(transaction);
    await transaction.query(sql`select pg_notify('places_changed', '')`);
    return parsed;
  });
  const locations = places.filter((place) => place.kind === 'location').length;
  return { administrativeAreas: places.length - locations, locations };
}

const writePlaces = (transaction: Queryable, places: readonly Place[]): Promise<unknown> =>
  transaction.query(sql`
    insert into place (id, kind, name, part_of, location_type)
    select * from unnest(
      ${places.map((place) => place.id)}::uuid[],
      ${places.map((place) => place.kind)}::text[],
      ${places.map((place) => place.name)}::text[],
      ${places.map((place) => place.partOf)}::uuid[],
      ${places.map((place) => place.locationType)}::text[])
        on conflict (id) do update
       set (kind, name, part_of, location_type) =
           (excluded.kind, excluded.name, excluded.part_of, excluded.location_type)
     where (place.kind, place.name, place.part_of, place.location_type)
           is distinct from (excluded.kind, excluded.name, excluded.part_of, excluded.location_type)`);
