export const text = { type: 'string' } as const;

export const uuid = { type: 'string', format: 'uuid' } as const;

export const dateTime = { type: 'string', format: 'date-time' } as const;

/** In UTC. Some generators match patterns from the beginning of the text. */
export const instant = { type: 'string', format: 'date-time', pattern: '^.*Z$' } as const;
