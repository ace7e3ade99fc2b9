import type { SchemaObject } from '@nestjs/swagger';

import type { Schema } from './schema-ref.js';

/** The schema of an object with exactly these keys; all are required unless `more` says which. */
export const closedObject = (
  properties: Record<string, Schema>,
  more: SchemaObject = { required: Object.keys(properties) },
): SchemaObject => ({ type: 'object', properties, additionalProperties: false, ...more });
