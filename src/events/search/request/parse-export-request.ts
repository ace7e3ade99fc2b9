import type { Query, SortKey } from '../../../kernel/domain/search-request.js';
import { Input, Notes } from '../../../kernel/input/input.js';
import { parseQuery } from './parse-query.js';
import type { SearchBounds } from './parse-search-request.js';
import { parseSort } from './parse-sort.js';

export interface ExportRequest {
  readonly query: Query;
  /** Empty: in the order in which records were written. */
  readonly sort: readonly SortKey[];
  /** Absent: all of them. */
  readonly limit?: number;
}

type Bounds = Pick<SearchBounds, 'timezone' | 'dateFields' | 'unorderedFields' | 'urlCursor'>;

/** As `parseSearchRequest`, but `limit` has no default or maximum, and nothing can be skipped (S-15). */
export function parseExportRequest(body: unknown, bounds: Bounds = {}): ExportRequest {
  const notes = new Notes(bounds.timezone, bounds.dateFields, bounds.unorderedFields);
  const request = parseBody(Input.body(body, notes), bounds.urlCursor);
  if (request === null || !notes.none) throw notes.toError();
  return request;
}

function parseBody(input: Input, urlCursor: unknown): ExportRequest | null {
  if (!input.isObject) return input.refuse('must be an object with `query`');
  input.refuseKeysBut(['query', 'limit', 'offset', 'sort', 'cursor']);
  const query = parseQuery(input.member('query'));
  const limit = input.member('limit');
  const most = limit.isAbsent ? undefined : limit.whole(Number.MAX_SAFE_INTEGER);
  const sort = parseSort(input.member('sort'));
  const [offset, cursor] = [input.member('offset'), input.member('cursor')];
  if (!offset.isAbsent && offset.value !== 0)
    offset.refuse('must be 0 or absent: a stream begins with the first match');
  if ((cursor.value ?? urlCursor) !== undefined) {
    cursor.holding(cursor.value ?? urlCursor).refuse('must be null or absent: a stream has no pages');
  }
  if (query === null || sort === null || most === null) return null;
  return { query, sort, ...(most !== undefined && { limit: most }) };
}
