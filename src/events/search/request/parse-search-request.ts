import {
  type Clause,
  type Condition,
  type DataInput,
  type Expression,
  type LocationField,
  type Query,
  RECORD_SORT_FIELDS,
  type SearchRequest,
  type SortField,
  type SortKey,
} from '../../../kernel/domain/search-request.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import { placeIdIn } from '../../../kernel/domain/text.js';
import { quoted } from '../../../kernel/errors/faults.js';
import { given, Input, Notes, unknownKey } from '../../../kernel/input/input.js';
import type { Config } from '../../../platform/config/config.js';
import type { ReadCursor } from './cursors.js';
import { conditionType, dataCondition, fieldIdFault, instantCondition, textCondition } from './parse-condition.js';
import { defaultLimit, MAX_CLAUSES, MAX_DATA_KEYS, MAX_QUERY_LEVELS, MAX_SORT_KEYS, MAX_TERMS } from './schemas.js';

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
function parseSort(input: Input): readonly SortKey[] | null {
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

export type ExpressionKey = keyof typeof SEARCHED_FIELDS | 'flags' | 'data';

/** In the interface's order (QueryExpression). */
const OF_THE_INTERFACE = [
  'id',
  'eventType',
  'status',
  'createdAt',
  'updatedAt',
  'legalStatuses.DECLARED.createdAtLocation',
  'legalStatuses.DECLARED.createdByRole',
  'legalStatuses.REGISTERED.acceptedAt',
  'legalStatuses.REGISTERED.createdAtLocation',
  'legalStatuses.REGISTERED.createdByRole',
  'legalStatuses.REGISTERED.registrationNumber',
  'createdAtLocation',
  'updatedAtLocation',
  'assignedTo',
  'updatedByUserRole',
  'createdBy',
  'updatedBy',
  'trackingId',
  'createdByUserType',
] as const satisfies readonly ExpressionKey[];

/** In the order of messages and of the OpenAPI document. */
export const EXPRESSION_KEYS = [
  ...new Set([...OF_THE_INTERFACE, ...Object.keys(SEARCHED_FIELDS), 'flags', 'data']),
] as readonly ExpressionKey[];

export const hasFuzzy = (clause: Clause): boolean =>
  clause.kind === 'expression' ? clause.conditions.some(isFuzzyCondition) : clause.clauses.some(hasFuzzy);

export function isFuzzyCondition(condition: Condition): boolean {
  if (condition.on === 'data') return condition.members.some(({ input }) => isFuzzyInput(input));
  return condition.on === 'anyField' && isFuzzyInput(condition.condition);
}

export const isFuzzyInput = (input: DataInput): boolean =>
  input.type === 'map' ? input.members.some((member) => isFuzzyInput(member.input)) : input.type === 'fuzzy';

const LISTS = ['anyOf', 'noneOf', 'allOf'] as const;

/** An empty `anyOf` matches nothing; an empty `noneOf` or `allOf` sets no condition (S-6). */
function flagsCondition(input: Input): Condition | null {
  if (!input.isObject) return input.refuse(`must be an object of lists of flags: ${quoted(LISTS)}`);
  input.refuseKeysBut(LISTS);
  const [anyOf, noneOf, allOf] = [readFlags(input, 'anyOf'), readFlags(input, 'noneOf'), readFlags(input, 'allOf')];
  return { on: 'flags', ...(anyOf !== null && { anyOf }), noneOf: noneOf ?? [], allOf: allOf ?? [] };
}

const readFlags = (input: Input, name: (typeof LISTS)[number]): readonly string[] | null =>
  input.has(name) ? input.member(name).listOf('flags', MAX_TERMS, (item) => item.text()) : null;

/**
 * By the table of columns, `exact` may be allowed, and null, which sets no condition (S-3). An unknown location matches
 * nothing (S-9).
 */
function locationCondition(field: LocationField): (input: Input) => Condition | null {
  const takesExact = SEARCHED_FIELDS[field].search.accepts === 'within or exact';
  const accepts = takesExact ? (['within', 'exact'] as const) : (['within'] as const);
  return (input) =>
    !takesExact && input.value === null
      ? null
      : given(conditionType<'within' | 'exact'>(input, accepts), (match) => locationOf(input, field, match));
}

function locationOf(input: Input, field: LocationField, match: 'within' | 'exact'): Condition | null {
  const location = input.member(match === 'within' ? 'location' : 'term').text();
  return given(location, (known) => ({ on: 'location', field, match, location: placeIdIn(known) }));
}

/** The keys themselves contain dots. */
function conditionParser(key: ExpressionKey): (input: Input) => Condition | null {
  if (key === 'flags') return flagsCondition;
  if (key === 'data') return dataCondition;
  const field = SEARCHED_FIELDS[key];
  switch (field.on) {
    case 'text':
      return textCondition(field.condition);
    case 'instant':
      return instantCondition(field.condition);
    case 'location':
      return locationCondition(field.condition);
  }
}

const PARSERS = new Map<string, (input: Input) => Condition | null>(
  EXPRESSION_KEYS.map((key) => [key, conditionParser(key)]),
);

const isExpressionKey = (key: string): boolean => PARSERS.has(key);

const BELONGS_IN_DATA = 'unknown key; a field of the declaration belongs in `data`';

/** Field ids contain dots; so do keys of legal statuses, which may be misspelt. */
const isLikeFieldId = (key: string): boolean => key.includes('.') && !/^legal/i.test(key);

/** All conditions must hold (S-6); at least one is required (S-3). */
function parseExpression(input: Input): Expression | null {
  const { keys } = input;
  if (keys.length === 0) {
    return input.refuse('must name at least one condition, such as `eventType`, or hold `clauses`');
  }
  input.refuseKeysBut(EXPRESSION_KEYS, (key) => {
    if (key === 'type') return 'is a key of a nested query, which also has `clauses`';
    return isLikeFieldId(key) ? BELONGS_IN_DATA : unknownKey(key, [...EXPRESSION_KEYS, 'clauses']);
  });
  const conditions = keys
    .map((key) => PARSERS.get(key)?.(input.member(key)) ?? null)
    .filter((condition) => condition !== null);
  return { kind: 'expression', conditions };
}

const QUERY_KEYS = ['type', 'clauses'];

/** The whole search tree, within S-4. */
export function parseQuery(input: Input): Query | null {
  const query = parseLevel(input, 1);
  const { notes } = input;
  if (notes.clauses > MAX_CLAUSES) {
    input.refuse(`must hold at most ${MAX_CLAUSES} clauses in all, those of nested queries included`);
  }
  if (notes.dataKeys > MAX_DATA_KEYS) input.refuse(`must name at most ${MAX_DATA_KEYS} fields in \`data\` in all`);
  return query;
}

function parseLevel(input: Input, level: number): Query | null {
  if (level > MAX_QUERY_LEVELS) {
    return input.refuse(`queries must be at most ${MAX_QUERY_LEVELS} levels deep, \`query\` being the first`);
  }
  if (!input.isObject) return input.refuse('must be an object with `clauses`');
  input.refuseKeysBut(QUERY_KEYS, (key) =>
    isExpressionKey(key) ? 'is a condition; it belongs in an item of `clauses`' : unknownKey(key, QUERY_KEYS),
  );
  const type = input.member('type');
  const kind = type.isAbsent ? 'and' : type.oneOf(['and', 'or']);
  const clauses = parseClauses(input.member('clauses'), level);
  return kind === null || clauses === null ? null : { kind, clauses };
}

/** Clauses past the limit are counted, not parsed. */
function parseClauses(input: Input, level: number): readonly Clause[] | null {
  if (input.length === null || input.length === 0) return input.refuse('must be a list of at least one clause');
  const room = Math.max(0, MAX_CLAUSES - input.notes.clauses);
  input.notes.clauses += input.length;
  return input
    .items(room)
    .map((item) => parseClause(item, level))
    .filter((clause) => clause !== null);
}

/** Nested if it has `clauses`, else an expression (S-3). */
function parseClause(input: Input, level: number): Clause | null {
  if (!input.isObject) return input.refuse('must be an object: conditions, or a nested query with `clauses`');
  return input.has('clauses') ? parseLevel(input, level + 1) : parseExpression(input);
}
