import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { ALL_BUT_YEARS, type ShapeAspect } from '../terms/data-aspect.js';
import { MOST_YEARS } from '../terms/shapes.js';

/** Years come last, and may be cut off. */
const MOST_AT_A_PATH = ALL_BUT_YEARS.length + MOST_YEARS + 1;

/** Over all paths beyond the limit. */
export const MOST_BEYOND = 100_000;

/** Rows `Row`. */
export const shapesAt = (pathIds: readonly number[]): Sql => sql`
  select told.id as path_id, null as words, found.aspects
    from unnest(${pathIds}::int[]) as told (id)
         cross join lateral (
           select array_agg(aspect) as aspects
             from (select aspect from data_shape
                    where path_id = told.id order by aspect limit ${MOST_AT_A_PATH}::int) as first) as found`;

export interface AspectSomewhere {
  readonly isField: boolean;
  readonly aspect: ShapeAspect;
}

/** Distinct kinds of values from this path on. */
export async function shapesFrom(
  reader: Pick<Queryable, 'query'>,
  pathId: number,
): Promise<readonly AspectSomewhere[] | 'too many'> {
  const rows = await reader.query<AspectSomewhere & { readonly count: number }>(sql`
    select is_field as "isField", aspect, count(*)::int as count
      from (select path_id, aspect from data_shape
             where path_id >= ${pathId}::int order by path_id, aspect limit ${MOST_BEYOND + 1}::int) as later
           join fuzzy_path on id = path_id
     group by is_field, aspect`);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return count > MOST_BEYOND ? 'too many' : rows;
}
