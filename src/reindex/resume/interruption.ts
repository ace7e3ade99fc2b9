import { isDriverFailure } from '../../errors/driver-failure.js';
import { errorCode } from '../../errors/error-code.js';

/**
 * SQLSTATEs (PostgreSQL, Appendix A) and codes of Node: the connection or the server went away, a statement ran too
 * long, the server is no primary any more, or other sessions were in the way or had all connections.
 */
const INTERRUPTED = /^(?:08...|40...|53300|55P03|57014|57P0.|25006|E[A-Z_]+)$/;

/**
 * Whether a run that failed so may go on where it was: nothing is wrong with what it has derived. Other failures, such
 * as a full disk or an event that cannot be read, need somebody's help first, and its tables would only take up room.
 */
export const isInterruption = (error: unknown): boolean =>
  error instanceof Error && (INTERRUPTED.test(errorCode(error) ?? '') || isDriverFailure(error));
