import type { LocationColumn } from '../../derived/location-columns.js';
import { LOCATION_COLUMNS } from '../../derived/location-columns.js';
import type { Term } from '../../derived/terms/term-kind.js';
import type { Condition, LocationField } from '../../domain/search-request.js';
import { sql } from '../../sql/sql.js';
import { oneOf } from './data/candidates.js';
import type { Predicate, RowLeaf } from './predicate.js';
import { NO_PROOF } from './proof.js';
import type { SearchContext } from './search-context.js';

const COLUMNS: Readonly<Record<LocationField, LocationColumn>> = {
  createdAtLocation: 'created_at_location',
  updatedAtLocation: 'updated_at_location',
  'legalStatuses.DECLARED.createdAtLocation': 'declared_created_at_location',
  'legalStatuses.REGISTERED.createdAtLocation': 'registered_created_at_location',
};

/** `within` is the location or anything below it, `exact` the location itself; an unknown one matches nothing (S-9). */
export function predicateOfLocation(
  { field, match, location }: Condition & { readonly on: 'location' },
  { below, areaTerm, trustsTerms = false }: SearchContext,
): Predicate {
  const name = COLUMNS[field];
  const column = sql`s.${LOCATION_COLUMNS[name]}`;
  const known = below(location);
  const ids = match === 'within' ? known : known.filter((id) => id === location);
  const [area] = known;
  const term = trustsTerms && match === 'within' && area !== undefined ? areaTerm?.(name, area) : undefined;
  return {
    kind: 'row',
    condition: sql`${column} = any(${ids}::uuid[])`,
    ...foundBy(term),
    index: 'facets',
    size: { by: 'locations', column: name, ids },
  };
}

/** Most areas have no term; where one is there, and is trusted, the column need not be looked at. */
function foundBy(term: Term | undefined): Pick<RowLeaf, 'narrowing' | 'decides' | 'proof' | 'byTerms'> {
  if (term === undefined) return { narrowing: { kind: 'none' }, decides: false, proof: NO_PROOF };
  const { narrowing, decides, proof } = oneOf([term]);
  return { narrowing, decides, proof, byTerms: true };
}
