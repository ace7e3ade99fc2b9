import type { SchemaObject } from '@nestjs/swagger';
import { EVENT_STATUSES, USER_TYPES } from '../../../kernel/domain/event-record.js';
import { RECORD_SORT_FIELDS } from '../../../kernel/domain/search-request.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import { closedObject, type Schema } from '../../../platform/dto/schemas.js';
import { TIME_PERIODS } from './parse-condition.js';
import { EXPRESSION_KEYS, type ExpressionKey } from './parse-search-request.js';
import {
  defaultLimit,
  MAX_CLAUSES,
  MAX_DATA_KEYS,
  MAX_DATA_LEVELS,
  MAX_FIELD_ID_CODE_POINTS,
  MAX_FUZZY_CODE_POINTS,
  MAX_QUERY_LEVELS,
  MAX_SORT_KEYS,
  MAX_TERMS,
  oneOf,
  schemaRef,
  TEXT_CHARACTER,
  TEXT_SCHEMA as text,
} from './schemas.js';

const listOf = (items: Schema): SchemaObject => ({ type: 'array', items, maxItems: MAX_TERMS });

const condition = (type: string, keys: Record<string, Schema>, description: string): SchemaObject => ({
  ...closedObject({ type: oneOf([type]), ...keys }),
  description,
});

/** Every `MM-DD` of some year. */
const DAY_OF_A_YEAR = '((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|[12]\\d))';

/** The schemas of conditions. */
const CONDITION_SCHEMAS: Record<string, SchemaObject> = {
  StatusExact: condition('exact', { term: oneOf(EVENT_STATUSES) }, 'The status itself'),
  StatusAnyOf: condition(
    'anyOf',
    { terms: listOf(oneOf(EVENT_STATUSES)) },
    'One of the statuses; an empty list matches nothing',
  ),
  UserTypeExact: condition('exact', { term: oneOf(USER_TYPES) }, 'Created by a person or by a system client'),
  Exact: condition(
    'exact',
    { term: text },
    'The whole text, case-sensitively; in `data`, what equality means for the value that is met',
  ),
  AnyOf: condition('anyOf', { terms: listOf(text) }, 'As `exact`, for one of the terms; an empty list matches nothing'),
  Within: condition('within', { location: text }, 'That location, or one below it in the hierarchy as it stands now'),
  Fuzzy: condition(
    'fuzzy',
    { term: { ...text, maxLength: MAX_FUZZY_CODE_POINTS } },
    'Every word of the term is near a word of the value: words of 1 or 2 letters equal, of 3 to 5 at most one edit away, longer ones two; letter case and diacritics aside',
  ),
  Range: condition('range', { gte: text, lte: text }, 'Both ends included; by date, by number or by code point'),
  DateOrDateTime: {
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', pattern: `^\\d{4}-${DAY_OF_A_YEAR}T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?Z$` },
    ],
    description: 'A calendar date, read in the time zone of the service, or a date-time in UTC',
    examples: ['2026-01-31', '2026-01-31T08:30:00Z'],
  },
  DateExact: condition(
    'exact',
    { term: schemaRef('DateOrDateTime') },
    'That whole day; or that second, or millisecond when a fraction is given',
  ),
  DateRange: condition(
    'range',
    { gte: schemaRef('DateOrDateTime'), lte: schemaRef('DateOrDateTime') },
    'Both ends included, to the end of the day or second that `lte` names; `gte` must not be after `lte`',
  ),
  TimePeriod: condition('timePeriod', { term: oneOf(TIME_PERIODS) }, 'From now less as many times 24 hours, to now'),
  DateCondition: { anyOf: [schemaRef('DateExact'), schemaRef('DateRange'), schemaRef('TimePeriod')] },
  FlagsCondition: closedObject(
    {
      anyOf: { ...listOf(schemaRef('Flag')), description: 'At least one of them; an empty list matches nothing' },
      noneOf: { ...listOf(schemaRef('Flag')), description: 'None of them' },
      allOf: { ...listOf(schemaRef('Flag')), description: 'Each of them' },
    },
    { description: 'The lists that are given must all hold', examples: [{ noneOf: ['rejected'] }] },
  ),
  QueryInput: {
    anyOf: ['Fuzzy', 'Exact', 'Range', 'Within', 'AnyOf', 'QueryInputMap'].map(schemaRef),
    description:
      'A condition, known by its `type`, or a map of keys into the value. As `data` itself, a condition holds when some field of the declaration satisfies it',
  },
  QueryInputMap: {
    type: 'object',
    minProperties: 1,
    patternProperties: {
      [`^(?!__proto__$)${TEXT_CHARACTER}{1,${MAX_FIELD_ID_CODE_POINTS}}$`]: schemaRef('QueryInput'),
    },
    additionalProperties: false,
    description: `Field ids of the declaration (dots belong to the id), or keys inside a value, with what must hold there; at most ${MAX_DATA_LEVELS} levels and ${MAX_DATA_KEYS} keys in all`,
    examples: [
      { 'child.name': { type: 'fuzzy', term: 'Musonda' } },
      { 'child.address': { country: { type: 'exact', term: 'FAR' } } },
    ],
  },
};

type TextFieldRow = Extract<(typeof SEARCHED_FIELDS)[keyof typeof SEARCHED_FIELDS], { readonly on: 'text' }>;

/** The keys of an expression and their conditions. */
const EXPRESSION_SCHEMA: SchemaObject = closedObject(
  Object.fromEntries(EXPRESSION_KEYS.map((key) => [key, conditionOf(key)])),
  {
    minProperties: 1,
    description: 'Conditions that must all hold',
    examples: [{ eventType: 'birth', status: { type: 'exact', term: 'REGISTERED' } }],
  },
);

function conditionOf(key: ExpressionKey): Schema {
  if (key === 'flags') return schemaRef('FlagsCondition');
  if (key === 'data') return schemaRef('QueryInput');
  const field = SEARCHED_FIELDS[key];
  switch (field.on) {
    case 'text':
      return textConditionOf(field);
    case 'instant':
      return schemaRef('DateCondition');
    case 'location':
      return field.search.accepts === 'within or exact'
        ? { anyOf: [schemaRef('Within'), schemaRef('Exact')] }
        : { anyOf: [schemaRef('Within'), { type: 'null' }], description: 'null sets no condition' };
  }
}

function textConditionOf({ name, condition, kind, example, search: { accepts } }: TextFieldRow): Schema {
  if (accepts === 'plain') {
    if (name === condition) return text;
    return {
      ...text,
      description: `The \`${name}\` of the record`,
      ...(example !== undefined && { examples: [example] }),
    };
  }
  const of = kind === 'status' ? 'Status' : kind === 'userType' ? 'UserType' : '';
  const schemas = accepts.map((type) => schemaRef(`${of}${type === 'exact' ? 'Exact' : 'AnyOf'}`));
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { anyOf: schemas };
}

const RESULTS_TO_SKIP = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'Results to skip',
} as const satisfies SchemaObject;

const OFFSET: SchemaObject = {
  ...RESULTS_TO_SKIP,
  description: 'Results to skip; 0 or absent for a stream of NDJSON',
};

const pageOf = (maxLimit: number): Record<string, Schema> => ({
  query: schemaRef('QueryType'),
  limit: {
    type: 'integer',
    minimum: 0,
    maximum: maxLimit,
    default: defaultLimit(maxLimit),
    description: 'Page size, at most SEARCH_MAX_LIMIT; 0 yields the total alone',
  },
  offset: RESULTS_TO_SKIP,
  sort: {
    type: 'array',
    items: schemaRef('SortKey'),
    maxItems: MAX_SORT_KEYS,
    description: 'Without it the best fuzzy match comes first, then the latest change',
  },
});

/**
 * `Accept` decides between page and stream (S-15). A schema with branches would become a class in generated clients.
 */
const limitOf = (maxLimit: number): SchemaObject => ({
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: defaultLimit(maxLimit),
  description: `Page size, at most ${maxLimit} (SEARCH_MAX_LIMIT); 0 yields the total alone. With
\`Accept: application/x-ndjson\`: how many matches there are at most, any number; absent: all of them`,
});

const CURSOR: SchemaObject = {
  anyOf: [text, { type: 'null' }],
  description: `From the \`Link\` header of the page before, with the same query and sort, in place of \`offset\`;
null is none. A stream of NDJSON takes none`,
};

const PAGE_RULES: SchemaObject = {
  required: ['query'],
  examples: [
    {
      query: {
        type: 'and',
        clauses: [
          { eventType: 'birth', data: { 'child.name': { type: 'fuzzy', term: 'Musonda' } } },
          {
            type: 'or',
            clauses: [
              { status: { type: 'anyOf', terms: ['DECLARED', 'REGISTERED'] } },
              { updatedAt: { type: 'timePeriod', term: 'last7Days' } },
            ],
          },
        ],
      },
      limit: 20,
      offset: 0,
      sort: [{ field: 'declaration.child.dob', direction: 'desc' }],
    },
  ],
};

/** The body of a search, within S-4. */
export const requestSchemas = (maxLimit: number): Record<string, SchemaObject> => ({
  SearchRequest: closedObject(
    { ...pageOf(maxLimit), limit: limitOf(maxLimit), offset: OFFSET, cursor: CURSOR },
    PAGE_RULES,
  ),
  ExplainRequest: closedObject(pageOf(maxLimit), PAGE_RULES),
  QueryType: closedObject(
    {
      type: { ...oneOf(['and', 'or']), default: 'and', description: 'How the clauses combine' },
      clauses: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_CLAUSES,
        items: { anyOf: [schemaRef('QueryExpression'), schemaRef('QueryType')] },
      },
    },
    {
      required: ['clauses'],
      description: `At most ${MAX_QUERY_LEVELS} levels deep, and ${MAX_CLAUSES} clauses on all of them together`,
    },
  ),
  QueryExpression: EXPRESSION_SCHEMA,
  ...CONDITION_SCHEMAS,
  SortKey: closedObject(
    {
      field: {
        anyOf: [oneOf(RECORD_SORT_FIELDS), { type: 'string', pattern: `^declaration\\.${TEXT_CHARACTER}+$` }],
        description:
          'A scalar field of the record, or `declaration.` and a field id or its member; records without a value come last',
      },
      direction: { ...oneOf(['asc', 'desc']), default: 'asc' },
    },
    { required: ['field'], examples: [{ field: 'createdAt', direction: 'desc' }] },
  ),
});
