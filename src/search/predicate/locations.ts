import type { Term } from '../../derived/terms/term-kind.js';
import { SEARCHED_FIELDS } from '../../domain/record/searched-fields.js';
import type { Condition } from '../../domain/search-request.js';
import { sql } from '../../sql/sql.js';
import { oneOf } from './data/candidates.js';
import type { Predicate, RowLeaf } from './predicate.js';
import { NO_PROOF } from './proof.js';
import { ROW_COLUMNS } from './row-columns.js';
import type { SearchContext } from './search-context.js';

/** `within` is the location or anything below it, `exact` the location itself; an unknown one matches nothing (S-9). */
export function predicateOfLocation(
  { field, match, location }: Condition & { readonly on: 'location' },
  { below, areaTerm, trustsTerms = false }: SearchContext,
): Predicate {
  const { column: name } = SEARCHED_FIELDS[field];
  const known = below(location);
  const ids = match === 'within' ? known : known.filter((id) => id === location);
  const [area] = known;
  const term = trustsTerms && match === 'within' && area !== undefined ? areaTerm?.(name, area) : undefined;
  return {
    kind: 'row',
    condition: sql`${ROW_COLUMNS[name]} = any(${ids}::uuid[])`,
    ...foundBy(term),
    index: 'composite',
    cardinality: { by: 'locations', column: name, ids },
  };
}

/** Most areas have no term; if there is one and it is trusted, the column is not read. */
function foundBy(term: Term | undefined): Pick<RowLeaf, 'candidateTerms' | 'decides' | 'proof' | 'byTerms'> {
  if (term === undefined) return { candidateTerms: { kind: 'none' }, decides: false, proof: NO_PROOF };
  const { candidateTerms, decides, proof } = oneOf([term]);
  return { candidateTerms, decides, proof, byTerms: true };
}
