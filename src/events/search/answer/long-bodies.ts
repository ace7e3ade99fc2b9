import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { Sql } from '../../../kernel/sql/sql.js';
import { compileBody } from '../statement/page.js';

/** A record as it was read together with others: its body is empty where it is too long for that. */
export interface ReadRow {
  readonly id: string;
  readonly body: string;
}

/**
 * The bodies of the rows, in parts and in order. Each long one is read here and is a part of its own: a hundred of the
 * longest together take more memory than one answer may. `shown` is as in `Page`.
 */
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
