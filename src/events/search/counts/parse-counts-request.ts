import type { Query } from '../../../kernel/domain/search-request.js';
import { Input, Notes } from '../../../kernel/input/input.js';
import { parseQuery } from '../request/parse-query.js';
import type { DateReading } from '../request/parse-search-request.js';

/** S-17. */
export const MAX_COUNTED = 100;

/**
 * `{queries: [{query}, …]}`, 1 to 100, which share the limits of one search (S-4). Throws 400 BAD_REQUEST with one
 * issue per fault (G-4).
 */
export function parseCountsRequest(body: unknown, { timezone, dateFields }: DateReading): readonly Query[] {
  const notes = new Notes(timezone, dateFields);
  const queries = parseBody(Input.body(body, notes));
  if (queries === null || !notes.none) throw notes.toError();
  return queries;
}

function parseBody(input: Input): readonly Query[] | null {
  if (!input.isObject) return input.refuse('must be an object with `queries`');
  input.refuseKeysBut(['queries']);
  const queries = input.member('queries');
  if (queries.length === null || queries.length === 0 || queries.length > MAX_COUNTED) {
    return queries.refuse(`must be a list of 1 to ${MAX_COUNTED} objects with \`query\``);
  }
  return queries
    .items(MAX_COUNTED)
    .map(parseItem)
    .filter((query) => query !== null);
}

function parseItem(input: Input): Query | null {
  if (!input.isObject) return input.refuse('must be an object with `query`');
  input.refuseKeysBut(['query']);
  return parseQuery(input.member('query'));
}
