import type { ApiResponseOptions, SchemaObject } from '@nestjs/swagger';

import { INVALID_INPUT } from '../../kernel/errors/faults.js';
import { ERROR_STATUS } from '../../kernel/errors/service-error.js';
import { EVENT_RECORD_SCHEMAS } from './answer/event-record.openapi.js';
import { closedObject } from '../../platform/dto/schemas.js';
import { schemaRef } from './request/schemas.js';
import { requestSchemas } from './request/request.openapi.js';

/** By name (G-9); `maxLimit` is `SEARCH_MAX_LIMIT`. */
export const searchSchemas = (maxLimit: number): Record<string, SchemaObject> => ({
  ...requestSchemas(maxLimit),
  ...EVENT_RECORD_SCHEMAS,
  SearchResponse: {
    ...closedObject({
      results: { type: 'array', items: schemaRef('EventRecord') },
      total: { type: 'integer', minimum: 0, description: 'Matching records, on this page or not' },
    }),
    examples: [{ results: [], total: 0 }],
  },
  ErrorObject: closedObject(
    {
      message: { type: 'string' },
      code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
      issues: {
        type: 'array',
        description: 'One for each fault',
        items: closedObject({ message: { type: 'string', description: 'Begins with the path of the fault' } }),
      },
    },
    {
      required: ['message', 'code'],
      examples: [
        {
          message: INVALID_INPUT,
          code: 'BAD_REQUEST',
          issues: [{ message: 'limit: must be a whole number from 0 to 10000' }],
        },
      ],
    },
  ),
});

/** A page, or every match as NDJSON (S-15). */
export const SEARCH_ANSWER: ApiResponseOptions = {
  status: 200,
  description:
    'A page of the matching records, and their number; with `Accept: application/x-ndjson` every match, a record a line, ' +
    'in the order of `sort` or else of their writing: `limit` then bounds their number, and has no default',
  headers: {
    Link: {
      description:
        'While there is more, where the next page is to be asked for with the same body but for an `offset`: ' +
        '`<…>; rel="next"`',
      schema: { type: 'string' },
    },
  },
  content: {
    'application/json': { schema: schemaRef('SearchResponse') },
    'application/x-ndjson': { schema: { type: 'string', description: 'An EventRecord a line' } },
  },
};
