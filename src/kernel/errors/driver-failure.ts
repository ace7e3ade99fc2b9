/** What the driver of PostgreSQL and its pool say, without a code, of a connection that is lost or not to be had. */
const MESSAGES =
  /^timeout exceeded when trying to connect$|^timeout expired$|^Connection terminated|^Client has encountered a connection error|^Query read timeout$|^Cannot use a pool after calling end on the pool$/;

/** Whether the driver lost a connection, or had none in time. Failures with a code are those of a server or a system. */
export const isDriverFailure = (cause: unknown): boolean => cause instanceof Error && MESSAGES.test(cause.message);
