/** Driver and pool messages without a code, for a lost or unavailable connection. */
const MESSAGES =
  /^timeout exceeded when trying to connect$|^timeout expired$|^Connection terminated|^Client has encountered a connection error|^Query read timeout$|^Cannot use a pool after calling end on the pool$/;

/** Lost or late connections. Failures with a code come from a server or the system. */
export const isDriverFailure = (cause: unknown): boolean => cause instanceof Error && MESSAGES.test(cause.message);
