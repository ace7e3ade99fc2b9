import type { Sql } from '../sql/sql.js';
import { sql } from '../sql/sql.js';

/** The columns of `event_search` that say where something was done. */
export type LocationColumn =
  'created_at_location' | 'updated_at_location' | 'declared_created_at_location' | 'registered_created_at_location';

/** Their names in SQL. */
export const LOCATION_COLUMNS: Readonly<Record<LocationColumn, Sql>> = {
  created_at_location: sql`created_at_location`,
  updated_at_location: sql`updated_at_location`,
  declared_created_at_location: sql`declared_created_at_location`,
  registered_created_at_location: sql`registered_created_at_location`,
};
