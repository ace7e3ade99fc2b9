import { Sql, sql } from '../../../kernel/sql/sql.js';
import { compileOrder } from '../predicate/sort.js';
import { predicateOfMatches } from '../predicate/query.js';
import { shownBody, STORED_BODY } from '../predicate/shown-body.js';
import type { Setting } from '../plan/setting.js';
import type { ExportRequest } from '../request/parse-export-request.js';
import { bodyAt, LONGEST_TOGETHER, unlessLong } from './page.js';
import { compileIndexed } from './render.js';

export type Exported = Omit<ExportRequest, 'query'> & Partial<Pick<ExportRequest, 'query'>>;

export interface CompiledExport {
  /** Rows `{id, body}` in order; a body longer than `LONGEST_TOGETHER` is empty. */
  readonly statement: Sql;
  /** See `Page`. */
  readonly shown: Sql | undefined;
}

/** Restricted to what the caller may see (A-10). */
export function compileExport(
  { query, sort, limit }: Exported,
  { rowFilter, context, cardinalities }: Setting,
): CompiledExport {
  const matches =
    query === undefined ? sql`true` : compileIndexed(predicateOfMatches(query, rowFilter, context), cardinalities);
  const shown = shownBody(rowFilter, context);
  const most = limit === undefined ? sql`` : sql` limit ${limit}::bigint`;
  if (sort.length === 0) {
    const statement = sql`select s.id, ${unlessLong(shown ?? STORED_BODY, LONGEST_TOGETHER)} as body
from event_search s join event_document d using (seq)
where ${matches}
order by s.seq${most}`;
    return { statement, shown };
  }
  const order = compileOrder(sort, context.guard);
  const statement = sql`select id, ${bodyAt(sql`exported.seq`, { shown, longest: LONGEST_TOGETHER })}
from (select s.seq, ${Sql.join(order.columns, ', ')} from event_search s where ${matches}) exported
order by ${order.by}${most}`;
  return { statement, shown };
}
