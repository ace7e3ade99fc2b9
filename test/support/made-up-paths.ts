import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { sql } from '../../src/kernel/sql/sql.js';

/** Paths of declarations that no record has, every other one of a field. */
export const addMadeUpPaths = (database: Queryable, count: number): Promise<unknown> =>
  database.query(sql`
    insert into fuzzy_path (hash, path, is_field)
    select sha256(convert_to(path, 'UTF8')), path, n % 2 = 0
      from (select count(*) as before from fuzzy_path) as known,
           generate_series(1, ${count}::int) n,
           lateral (select 'data/made up.' || before + n as path) as named
     order by n`);

/** Kinds of values at the latest paths: dates of so many years, at most 10,000 at each. */
export const addMadeUpYears = (database: Queryable, count: number): Promise<unknown> =>
  database.query(sql`
    insert into data_shape (path_id, aspect)
    select latest - n / 10000, 'year ' || lpad((n % 10000)::text, 4, '0')
      from (select max(id) as latest from fuzzy_path) as paths, generate_series(0, ${count}::int - 1) n
        on conflict do nothing`);
