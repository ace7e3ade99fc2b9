export const CORRELATION_ID = Symbol('CORRELATION_ID');

/** Id of the current request (G-5); undefined outside of any. */
export type CorrelationId = () => string | undefined;
