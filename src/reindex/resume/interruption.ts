import { errorCode } from '../../errors/error-code.js';

/**
 * The connection or the server went away, ran too long, or is no primary any more; others were in the way, or had all
 * connections. PostgreSQL, Appendix A.
 */
const INTERRUPTED = /^(?:08...|40...|53300|55P03|57014|57P0.|25006|E[A-Z_]+)$/;
/** Of the driver and its pool, without a code. */
const MESSAGES = /^(?:Connection terminated|timeout |Client has encountered a connection error|Query read timeout)/;

/**
 * Whether a run that failed so may go on where it was: nothing is wrong with what it has derived. Other failures, such
 * as a full disk or an event that cannot be read, need somebody's help first, and its tables would only take up room.
 */
export const isInterruption = (error: unknown): boolean =>
  error instanceof Error &&
  (INTERRUPTED.test(errorCode(error) ?? '') || (errorCode(error) === undefined && MESSAGES.test(error.message)));
