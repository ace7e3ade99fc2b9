import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import type { ShapeAspect } from '../../src/events/index/terms/terms.js';
import { sql } from '../../src/kernel/sql/sql.js';

/** Fields that no record has, with these kinds of values. */
export const addMadeUpFields = (
  database: Queryable,
  count: number,
  aspects: readonly ShapeAspect[],
): Promise<unknown> =>
  database.query(sql`
    with added as (
      insert into fuzzy_path (hash, path, is_field)
      select sha256(convert_to('field data/made up.' || n, 'UTF8')), 'data/made up.' || n, true
        from generate_series(1, ${count}::int) n returning id)
    insert into data_shape (path_id, aspect) select id, unnest(${aspects}::text[]) from added`);
