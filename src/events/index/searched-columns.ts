import { byColumn, fieldsOn } from '../../kernel/domain/searched-fields.js';
import { identifier, type Sql } from '../../kernel/sql/sql.js';

export const LOCATION_FIELDS = fieldsOn('location');

/** Columns of `event_search`. */
export type LocationColumn = (typeof LOCATION_FIELDS)[number]['column'];

/** With statistics; scopes included. */
export type PlaceColumn = LocationColumn | (typeof SCOPED_PLACES)[number]['column'];

const SCOPED_PLACES = [{ column: 'place_of_event' }, { column: 'notified_created_at_location' }] as const;

export const PLACE_COLUMNS: readonly { readonly column: PlaceColumn }[] = [...LOCATION_FIELDS, ...SCOPED_PLACES];

export const LOCATION_COLUMNS: Readonly<Record<LocationColumn, Sql>> = byColumn(LOCATION_FIELDS, ({ column }) =>
  identifier(column),
);

export const INSTANT_FIELDS = fieldsOn('instant');

/** Columns of `event_search`. */
export type InstantColumn = (typeof INSTANT_FIELDS)[number]['column'];
