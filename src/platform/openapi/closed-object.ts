import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

/** An OpenAPI schema where it stands, or by its name. */
export type Schema = SchemaObject | ReferenceObject;

/** The OpenAPI schema of an object with exactly these keys; all are required unless `more` says which. */
export const closedObject = (
  properties: Record<string, Schema>,
  more: SchemaObject = { required: Object.keys(properties) },
): SchemaObject => ({ type: 'object', properties, additionalProperties: false, ...more });
