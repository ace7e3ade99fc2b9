import type { Condition, LocationField } from '../../../domain/search-request.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import type { Facet } from '../terms.js';
import { facetTerm } from '../terms.js';
import { narrowed, someOf } from './narrowing.js';
import type { SearchContext } from './search-context.js';

interface LocationColumn {
  readonly column: Sql;
  /** Which terms find its values; absent for a column with an index of its own. */
  readonly facet?: Facet;
}

const LOCATION_COLUMNS: Readonly<Record<LocationField, LocationColumn>> = {
  createdAtLocation: { column: sql`s.created_at_location` },
  updatedAtLocation: { column: sql`s.updated_at_location` },
  'legalStatuses.DECLARED.createdAtLocation': {
    column: sql`s.declared_created_at_location`,
    facet: 'declaredAtLocation',
  },
  'legalStatuses.REGISTERED.createdAtLocation': {
    column: sql`s.registered_created_at_location`,
    facet: 'registeredAtLocation',
  },
};

/** `within` is the location or anything below it, `exact` the location itself; an unknown one matches nothing (S-9). */
export function compileLocation(condition: Condition & { readonly on: 'location' }, { below }: SearchContext): Sql {
  const { column, facet } = LOCATION_COLUMNS[condition.field];
  const known = below(condition.location);
  const wanted = condition.match === 'within' ? known : known.filter((id) => id === condition.location);
  const matches = sql`${column} = any(${wanted}::uuid[])`;
  return facet === undefined
    ? matches
    : narrowed(
        someOf(wanted, (id) => facetTerm(facet, id)),
        matches,
      );
}
