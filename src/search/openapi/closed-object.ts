import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

/** The schema of an object with exactly these keys; all are required unless `more` says which. */
export const closedObject = (
  properties: Record<string, SchemaObject | ReferenceObject>,
  more: SchemaObject = { required: Object.keys(properties) },
): SchemaObject => ({ type: 'object', properties, additionalProperties: false, ...more });
