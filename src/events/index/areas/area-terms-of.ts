import { Sql, sql } from '../../../kernel/sql/sql.js';
import { LOCATION_COLUMNS } from '../location-columns.js';

export const EVERY_AREA_TERM = Sql.join(Object.values(LOCATION_COLUMNS), ' || ');

/** SQL, so that a writer uses the hierarchy of its own snapshot. */
export const areaTermsOf = (row: Sql): Sql =>
  sql`(${Sql.join(
    Object.values(LOCATION_COLUMNS).map(
      (column) =>
        sql`coalesce((select area_term.${column} from area_term where area_term.place = ${row}.${column}), '{}')`,
    ),
    ' || ',
  )})`;
