/** Answers that contain credentials, or information about them, must not be stored on the way. RFC 6749 5.1. */
export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;
