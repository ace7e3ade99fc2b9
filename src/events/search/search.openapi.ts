import type { SchemaObject } from '@nestjs/swagger';

import { ERROR_STATUS } from '../../errors/service-error.js';
import { closedObject } from './closed-object.js';
import { EVENT_RECORD_SCHEMAS } from './event-record.openapi.js';
import { REQUEST_SCHEMAS } from './request/request.openapi.js';
import { schemaRef } from './schema-ref.js';

/** The components of the OpenAPI document (G-9) that `POST /events/search` takes and answers with, by name. */
export const SEARCH_SCHEMAS: Record<string, SchemaObject> = {
  ...REQUEST_SCHEMAS,
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
          message: 'Invalid input data',
          code: 'BAD_REQUEST',
          issues: [{ message: 'limit: must be a whole number from 0 to 10000' }],
        },
      ],
    },
  ),
};
