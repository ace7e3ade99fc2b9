import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../sql/sql.js';

/** Records are read so many at a time: a few hundred kilobytes as records go, and not much memory where they are large. */
const AT_A_TIME = 100;

/** The bodies of these records, in this order, some at a time: the next ones are read when they are asked for. */
export async function* bodiesOf(queryable: Queryable, ids: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let from = 0; from < ids.length; from += AT_A_TIME) {
    const rows = await queryable.query<{ readonly body: string }>(sql`
      select d.body
      from unnest(${ids.slice(from, from + AT_A_TIME)}::uuid[]) with ordinality as wanted (id, position)
      join event_search s using (id) join event_document d using (seq)
      order by wanted.position`);
    yield rows.map(({ body }) => body);
  }
}
