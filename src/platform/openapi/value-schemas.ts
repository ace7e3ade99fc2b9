/** A string, in the OpenAPI document. */
export const text = { type: 'string' } as const;

/** A UUID, in the OpenAPI document. */
export const uuid = { type: 'string', format: 'uuid' } as const;

/** A date and time, in the OpenAPI document. */
export const dateTime = { type: 'string', format: 'date-time' } as const;

/** A date and time in UTC, in the OpenAPI document. */
export const instant = { type: 'string', format: 'date-time', pattern: 'Z$' } as const;
