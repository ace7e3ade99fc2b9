import { Sql, sql } from '../../../kernel/sql/sql.js';
import { LOCATION_COLUMNS } from '../location-columns.js';

/** All terms of a row of `area_term`. */
export const EVERY_AREA_TERM = Sql.join(Object.values(LOCATION_COLUMNS), ' || ');

/**
 * The terms of the areas that contain the places of a row, in the current hierarchy: an array. In SQL, so that a writer
 * reads them in its own snapshot and never uses an old hierarchy from a process's memory.
 */
export const areaTermsOf = (row: Sql): Sql =>
  sql`(${Sql.join(
    Object.values(LOCATION_COLUMNS).map(
      (column) =>
        sql`coalesce((select area_term.${column} from area_term where area_term.place = ${row}.${column}), '{}')`,
    ),
    ' || ',
  )})`;
