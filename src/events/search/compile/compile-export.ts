import type { Query } from '../../../domain/search-request.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import { compileQuery } from './query.js';
import type { SearchContext } from './search-context.js';

/** The statement that yields every record, or every match of a query, as rows `{body}` in the order of their writing. */
export const compileExport = (query: Query | undefined, context: SearchContext): Sql =>
  sql`select event_document.body
from event_search s join event_document using (seq)
where ${query === undefined ? sql`true` : compileQuery(query, context)}
order by s.seq`;
