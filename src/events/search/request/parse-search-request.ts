import type { SearchRequest } from '../../../domain/search-request.js';
import { DEFAULT_LIMIT } from './bounds.js';
import { Input } from './input.js';
import { Notes } from './notes.js';
import { parseQuery } from './parse-query.js';
import { parseSort } from './parse-sort.js';

/** What the configuration allows: `SEARCH_MAX_LIMIT`. */
interface SearchBounds {
  readonly maxLimit: number;
}

/**
 * The search that a body asks for. Interface, POST /events/search; S-1…S-12.
 * Throws 400 BAD_REQUEST with one issue per fault, each beginning with its path (G-4).
 */
export function parseSearchRequest(body: unknown, bounds: SearchBounds): SearchRequest {
  const notes = new Notes();
  const request = parseBody(Input.body(body, notes), bounds);
  if (request === null || !notes.none) throw notes.toError();
  return request;
}

function parseBody(input: Input, { maxLimit }: SearchBounds): SearchRequest | null {
  if (!input.isObject) return input.refuse('must be an object with `query`');
  input.refuseKeysBut(['query', 'limit', 'offset', 'sort', 'cursor']);
  refuseCursor(input.member('cursor'));
  const query = parseQuery(input.member('query'));
  const limit = wholeOr(Math.min(DEFAULT_LIMIT, maxLimit), input.member('limit'), maxLimit);
  const offset = wholeOr(0, input.member('offset'), Number.MAX_SAFE_INTEGER);
  const sort = parseSort(input.member('sort'));
  if (query === null || limit === null || offset === null || sort === null) return null;
  return { query, limit, offset, sort };
}

const wholeOr = (absent: number, input: Input, most: number): number | null =>
  input.isAbsent ? absent : input.whole(most);

/** No answer gives out cursors, so there is none to bring back (S-15). */
function refuseCursor(input: Input): void {
  if (!input.isAbsent && input.value !== null) input.refuse('must be null: cursors are not supported; use `offset`');
}
