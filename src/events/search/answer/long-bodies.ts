import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { Sql } from '../../../kernel/sql/sql.js';
import { compileBody } from '../statement/page.js';

/** The body is empty where it is too long to be read together with others. */
export interface ReadRow {
  readonly id: string;
  readonly body: string;
}

/** In order. Each long body is read alone: a hundred exceed the memory of one answer. */
export async function* bodiesInParts(
  snapshot: Queryable,
  rows: readonly ReadRow[],
  shown: Sql | undefined,
): AsyncGenerator<readonly string[]> {
  let part: string[] = [];
  for (const { id, body } of rows) {
    if (body !== '') part.push(body);
    else {
      if (part.length > 0) yield part;
      part = [];
      yield (await snapshot.query<ReadRow>(compileBody(id, shown))).map((row) => row.body);
    }
  }
  if (part.length > 0) yield part;
}
