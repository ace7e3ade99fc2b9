import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

export type Schema = SchemaObject | ReferenceObject;

/** Exactly these keys, all required unless `more` says which. */
export const closedObject = (
  properties: Record<string, Schema>,
  more: SchemaObject = { required: Object.keys(properties) },
): SchemaObject => ({ type: 'object', properties, additionalProperties: false, ...more });
