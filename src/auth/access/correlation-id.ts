/** Injection token of a `CorrelationId`. */
export const CORRELATION_ID = Symbol('CORRELATION_ID');

/** The id of the request that the running code belongs to (G-5); undefined outside of any. */
export type CorrelationId = () => string | undefined;
