import { byColumn, fieldsOn } from '../domain/record/searched-fields.js';
import type { Sql } from '../sql/sql.js';
import { identifier } from '../sql/sql.js';

/** The fields that say where something was done. */
export const LOCATION_FIELDS = fieldsOn('location');

/** Their columns, in `event_search` and in `area_term`. */
export type LocationColumn = (typeof LOCATION_FIELDS)[number]['column'];

/** The names of the columns in SQL. */
export const LOCATION_COLUMNS: Readonly<Record<LocationColumn, Sql>> = byColumn(LOCATION_FIELDS, ({ column }) =>
  identifier(column),
);
