import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Place } from '../../kernel/domain/location.js';
import { sql } from '../../kernel/sql/sql.js';

export const readPlaces = (database: Queryable): Promise<Place[]> =>
  database.query<Place>(sql`select id, kind, name, part_of as "partOf", location_type as "locationType" from place`);
