import type { SchemaObject } from '@nestjs/swagger';

import { closedObject } from '../../../platform/openapi/closed-object.js';
import { schemaRef } from '../request/schema-ref.js';
import { MAX_COUNTED } from './parse-counts-request.js';

/** S-17. */
export const COUNTS_REQUEST_SCHEMA: SchemaObject = {
  ...closedObject({
    queries: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_COUNTED,
      items: closedObject({ query: schemaRef('QueryType') }),
      description: 'Their clauses and fields have the limits of one search together',
    },
  }),
  examples: [
    {
      queries: [
        { query: { clauses: [{ status: { type: 'exact', term: 'DECLARED' } }] } },
        { query: { clauses: [{ flags: { anyOf: ['potential-duplicate'] } }] } },
      ],
    },
  ],
};

export const COUNTS_ANSWER_SCHEMA: SchemaObject = closedObject({
  totals: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_COUNTED,
    items: { type: 'integer', minimum: 0 },
    description: 'How many records match, in the order of the queries',
  },
});
