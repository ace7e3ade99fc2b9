import type { SchemaObject } from '@nestjs/swagger';
import { RECORD_SORT_FIELDS } from '../../../kernel/domain/search-request.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import { closedObject, type Schema } from '../../../platform/openapi/schemas.js';
import { CONDITION_SCHEMAS } from './condition.openapi.js';
import { EXPRESSION_KEYS, type ExpressionKey } from './expression-keys.js';
import {
  defaultLimit,
  MAX_CLAUSES,
  MAX_QUERY_LEVELS,
  MAX_SORT_KEYS,
  oneOf,
  schemaRef,
  TEXT_CHARACTER,
  TEXT_SCHEMA as text,
} from './schemas.js';

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
