import type { Query } from '../../../domain/search-request.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import { predicateOfQuery } from './query.js';
import { compileIndexed } from './render.js';
import type { SearchContext } from './search-context.js';
import type { Sizes } from './sizes.js';

/** The statement that yields every record, or every match of a query, as rows `{body}` in the order of their writing. */
export const compileExport = (query: Query | undefined, context: SearchContext, sizes: Sizes): Sql =>
  sql`select event_document.body
from event_search s join event_document using (seq)
where ${query === undefined ? sql`true` : compileIndexed(predicateOfQuery(query, context), sizes)}
order by s.seq`;
