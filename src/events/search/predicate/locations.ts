import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import type { Condition } from '../../../kernel/domain/search-request.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { type Predicate, type RowCondition, rowLeaf, WITHOUT_TERMS } from './predicate.js';
import { ROW_COLUMNS } from './row-columns.js';
import type { SearchContext } from './search-context.js';

/**
 * The planner compares each place of a list with the thousand most common values: 18 ms for 840 places. It does not
 * look into a subquery.
 */
const MOST_ESTIMATED = 3;

/** `within` is the location or anything below it; an unknown one matches nothing (S-9). */
export function predicateOfLocation(
  { field, match, location }: Condition & { readonly on: 'location' },
  { below, terms }: SearchContext,
): Predicate {
  const { column: name } = SEARCHED_FIELDS[field];
  const known = below(location);
  const ids = match === 'within' ? known : known.filter((id) => id === location);
  return rowLeaf({
    ...conditionAt(ROW_COLUMNS[name], ids),
    ...WITHOUT_TERMS,
    index: 'composite',
    cardinality: { by: 'locations', column: name, ids },
    ...(match === 'within' && { bitmap: terms.ofPlaces(name, ids) }),
  });
}

/** The list is not copied: a statement sends a province's places once, for any number of conditions. */
export const conditionAt = (column: Sql, places: readonly Uuid[]): Pick<RowCondition, 'condition' | 'check'> => ({
  condition: sql`${column} = any(${places}::uuid[])`,
  ...(places.length > MOST_ESTIMATED && { check: sql`${column} in (select unnest(${places}::uuid[]))` }),
});
