/**
 * Largest body, in bytes, of a request that brings credentials: whoever sends one has shown nothing yet, and what
 * reading it costs grows with its length.
 */
export const CREDENTIALS_LIMIT_BYTES = 65_536;
