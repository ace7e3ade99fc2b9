/** Answers that carry credentials, or tell of them, are not stored on the way. RFC 6749 5.1. */
export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;
