import type { Config } from '../../../platform/config/config.js';
import type { SearchRequest, SortKey } from '../../../kernel/domain/search-request.js';
import { Input, Notes } from '../../../kernel/input/input.js';
import type { ReadCursor } from './cursors.js';
import { defaultLimit } from './schemas.js';
import { parseQuery } from './parse-query.js';
import { parseSort } from './parse-sort.js';

/** `Notes` says what is absent. */
export interface DateReading {
  /** `TIMEZONE` (S-8). */
  readonly timezone?: string;
  readonly dateFields?: ReadonlySet<string>;
  readonly unorderedFields?: ReadonlySet<string>;
}

export const dateReadingOf = ({
  TIMEZONE: timezone,
  eventConfiguration: { dateFields, unorderedFields },
}: Pick<Config, 'TIMEZONE' | 'eventConfiguration'>): Required<DateReading> => ({
  timezone,
  dateFields,
  unorderedFields,
});

export interface SearchBounds extends DateReading {
  /** `SEARCH_MAX_LIMIT` */
  readonly maxLimit: number;
  /** Absent: cursors are not accepted. */
  readonly readCursor?: (cursor: string, sort: readonly SortKey[]) => ReadCursor;
  /** From the URL's query string, as in a `Link` header (S-15). */
  readonly urlCursor?: unknown;
}

/** S-1…S-12, S-15. Throws 400 BAD_REQUEST with one issue per fault, each beginning with its path (G-4). */
export function parseSearchRequest(body: unknown, bounds: SearchBounds): SearchRequest {
  const notes = new Notes(bounds.timezone, bounds.dateFields, bounds.unorderedFields);
  const request = parseBody(Input.body(body, notes), bounds);
  if (request === null || !notes.none) throw notes.toError();
  return request;
}

function parseBody(input: Input, bounds: SearchBounds): SearchRequest | null {
  if (!input.isObject) return input.refuse('must be an object with `query`');
  input.refuseKeysBut(['query', 'limit', 'offset', 'sort', 'cursor']);
  const query = parseQuery(input.member('query'));
  const limit = wholeOr(defaultLimit(bounds.maxLimit), input.member('limit'), bounds.maxLimit);
  const offset = wholeOr(0, input.member('offset'), Number.MAX_SAFE_INTEGER);
  const sort = parseSort(input.member('sort'));
  const isRepeated = Array.isArray(bounds.urlCursor);
  const given = cursorOf(input.member('cursor'), bounds.urlCursor);
  const cursor = isRepeated ? given.refuse(REPEATED) : given.isAbsent ? undefined : given.text();
  if (query === null || limit === null || offset === null || sort === null || cursor === null) return null;
  if (cursor === undefined) return { query, limit, offset, sort };

  if (offset > 0) input.member('offset').refuse('must be 0 or absent beside a cursor, which takes its place');
  const read = bounds.readCursor?.(cursor, sort) ?? NOT_TAKEN;
  if (read.kind === 'refused') return given.refuse(read.reason);
  return { query, limit, offset: 0, sort, after: read.after };
}

const REPEATED = 'is given more than once in the URL';
const NOT_TAKEN: ReadCursor = { kind: 'refused', reason: 'is not taken here' };

const wholeOr = (absent: number, input: Input, most: number): number | null =>
  input.isAbsent ? absent : input.whole(most);

/** Only one of body and URL may have a cursor. Null means none. */
function cursorOf(ofBody: Input, urlCursor: unknown): Input {
  if (!Array.isArray(urlCursor) && ofBody.value !== undefined && ofBody.value !== null) {
    if (urlCursor !== undefined && urlCursor !== ofBody.value) ofBody.refuse('must be the one that stands in the URL');
    return ofBody;
  }
  return ofBody.holding(urlCursor);
}
