export const CORRELATION_ID = Symbol('CORRELATION_ID');

/** Undefined outside of any request (G-5). */
export type CorrelationId = () => string | undefined;
