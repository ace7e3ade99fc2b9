import type { Condition, LocationField } from '../../../domain/search-request.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import { NO_PROOF } from './proof.js';
import type { LocationColumn, Predicate } from './predicate.js';
import type { SearchContext } from './search-context.js';

const LOCATION_COLUMNS: Readonly<Record<LocationField, readonly [LocationColumn, Sql]>> = {
  createdAtLocation: ['created_at_location', sql`s.created_at_location`],
  updatedAtLocation: ['updated_at_location', sql`s.updated_at_location`],
  'legalStatuses.DECLARED.createdAtLocation': ['declared_created_at_location', sql`s.declared_created_at_location`],
  'legalStatuses.REGISTERED.createdAtLocation': [
    'registered_created_at_location',
    sql`s.registered_created_at_location`,
  ],
};

/** `within` is the location or anything below it, `exact` the location itself; an unknown one matches nothing (S-9). */
export function predicateOfLocation(
  { field, match, location }: Condition & { readonly on: 'location' },
  { below }: SearchContext,
): Predicate {
  const [name, column] = LOCATION_COLUMNS[field];
  const known = below(location);
  const ids = match === 'within' ? known : known.filter((id) => id === location);
  return {
    kind: 'row',
    condition: sql`${column} = any(${ids}::uuid[])`,
    narrowing: { kind: 'none' },
    decides: false,
    proof: NO_PROOF,
    index: 'facets',
    size: { by: 'locations', column: name, ids },
  };
}
