import { byColumn, fieldsOn } from '../../kernel/domain/searched-fields.js';
import { identifier, type Sql } from '../../kernel/sql/sql.js';

/** The fields that say where something was done. */
export const LOCATION_FIELDS = fieldsOn('location');

/** Their columns, in `event_search` and in `area_term`. */
export type LocationColumn = (typeof LOCATION_FIELDS)[number]['column'];

/** Columns of `event_search` with a place, of which is known how many records have it: what scopes name, too. */
export type PlaceColumn = LocationColumn | (typeof SCOPED_PLACES)[number]['column'];

const SCOPED_PLACES = [{ column: 'place_of_event' }, { column: 'notified_created_at_location' }] as const;

/** All of them. */
export const PLACE_COLUMNS: readonly { readonly column: PlaceColumn }[] = [...LOCATION_FIELDS, ...SCOPED_PLACES];

/** The names of the columns in SQL. */
export const LOCATION_COLUMNS: Readonly<Record<LocationColumn, Sql>> = byColumn(LOCATION_FIELDS, ({ column }) =>
  identifier(column),
);
