import type { Queryable } from '../database/queryable.js';
import type { Place } from '../domain/location.js';
import { sql } from '../sql/sql.js';

/** Every administrative area and location. */
export const readPlaces = (database: Queryable): Promise<Place[]> =>
  database.query<Place>(sql`select id, kind, name, part_of as "partOf", location_type as "locationType" from place`);
