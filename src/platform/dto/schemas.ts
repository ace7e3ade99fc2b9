import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

export type Schema = SchemaObject | ReferenceObject;

/** Exactly these keys, all required unless `more` says which. */
export const closedObject = (
  properties: Record<string, Schema>,
  more: SchemaObject = { required: Object.keys(properties) },
): SchemaObject => ({ type: 'object', properties, additionalProperties: false, ...more });

export const text = { type: 'string' } as const;

export const uuid = { type: 'string', format: 'uuid' } as const;

export const dateTime = { type: 'string', format: 'date-time' } as const;

/** In UTC. Some generators match patterns from the beginning of the text. */
export const instant = { type: 'string', format: 'date-time', pattern: '^.*Z$' } as const;
