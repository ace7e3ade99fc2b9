import type { SchemaObject } from '@nestjs/swagger';

import { closedObject } from '../../../platform/openapi/closed-object.js';

const COUNT: SchemaObject = { type: 'integer', minimum: 0 };
const MS: SchemaObject = { type: 'number', minimum: 0, description: 'Milliseconds' };

/** The answer of `POST /events/search/explain`. */
export const EXPLANATION_SCHEMA: SchemaObject = closedObject({
  total: COUNT,
  plan: closedObject({
    kind: { type: 'string', enum: ['single-statement', 'two-phase', 'bitmaps-first'] },
    why: { type: 'string' },
    estimate: { ...COUNT, description: 'How many records match, or somewhat more' },
    heavy: { type: 'boolean', description: 'Whether it waits for its turn among searches that take long' },
  }),
  query: { type: 'object', description: 'The clauses as they were understood, each with its estimate' },
  ms: closedObject({ read: MS, compile: MS, run: MS }),
  statements: {
    type: 'array',
    items: closedObject({
      sql: { type: 'string' },
      parameters: { type: 'array', items: {} },
      rows: COUNT,
      ms: MS,
      plan: { type: 'array', items: { type: 'object' }, description: 'explain (analyze, buffers, format json)' },
    }),
  },
});
