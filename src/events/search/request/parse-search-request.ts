import {
  type Query,
  RECORD_SORT_FIELDS,
  type SearchRequest,
  type SortField,
  type SortKey,
} from '../../../kernel/domain/search-request.js';
import { Input, Notes } from '../../../kernel/input/input.js';
import type { Config } from '../../../platform/config/config.js';
import type { ReadCursor } from './cursors.js';
import { fieldIdFault } from './parse-condition.js';
import { parseQuery } from './parse-query.js';
import { defaultLimit, MAX_SORT_KEYS } from './schemas.js';

const DECLARATION = 'declaration.';

const ALLOWED = [
  ...RECORD_SORT_FIELDS.filter((name) => !name.includes('.')),
  'legalStatuses.DECLARED.<field>',
  'legalStatuses.REGISTERED.<field>',
  'declaration.<field id>',
  'declaration.<field id>.<member>',
].join(', ');

const UNORDERED =
  'holds values without an order: name a field with one, or a member, `declaration.<field id>.<member>`';

/** First key first; absent means empty (S-12). */
export function parseSort(input: Input): readonly SortKey[] | null {
  return input.isAbsent ? [] : input.listOf('sort keys', MAX_SORT_KEYS, parseSortKey);
}

function parseSortKey(input: Input): SortKey | null {
  if (!input.isObject) return input.refuse('must be an object with `field`');
  input.refuseKeysBut(['field', 'direction']);
  const field = parseSortField(input.member('field'));
  const given = input.member('direction');
  const direction = given.isAbsent ? 'asc' : given.oneOf(['asc', 'desc']);
  return field === null || direction === null ? null : { field, direction };
}

function parseSortField(input: Input): SortField | null {
  const { value } = input;
  const name = RECORD_SORT_FIELDS.find((candidate) => candidate === value);
  if (name !== undefined) return { on: 'record', name };
  if (typeof value === 'string' && value.startsWith(DECLARATION)) {
    const fieldId = dotted(value.slice(DECLARATION.length));
    const fault = fieldIdFault(fieldId);
    if (fault !== undefined) return input.refuse(fault);
    return input.notes.unorderedFields?.has(fieldId) === true
      ? input.refuse(UNORDERED)
      : { on: 'declaration', fieldId };
  }
  return input.refuse(`must be a scalar field of a record: ${ALLOWED}`);
}

/** Upstream spells field ids with four underscores for each dot (S-12). */
const dotted = (fieldId: string): string => (fieldId.includes('.') ? fieldId : fieldId.replaceAll('____', '.'));

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
  const request = parseExportBody(Input.body(body, notes), bounds.urlCursor);
  if (request === null || !notes.none) throw notes.toError();
  return request;
}

function parseExportBody(input: Input, urlCursor: unknown): ExportRequest | null {
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
