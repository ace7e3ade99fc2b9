import { DatabaseServerError } from '../../platform/database/connection/database-server-error.js';
import { isDriverFailure } from '../../kernel/errors/driver-failure.js';
import { errorCode } from '../../kernel/errors/error-code.js';
import { causes } from './causes.js';

/** SQLSTATEs, or their classes, of temporary failures. PostgreSQL, Appendix A. */
const SQLSTATES: readonly RegExp[] = [
  /^08/, // connection exceptions
  /^53/, // insufficient resources: too many connections, disk full, out of memory
  /^57014$/, // query cancelled: statement_timeout
  /^57P0[1-5]$/, // shutting down, crashed, starting up, database dropped, idle session ended
  /^40001$|^40P01$/, // serialisation failure, deadlock
  /^55P03$/, // lock_timeout
  /^25006$/, // read-only: the server has become a standby
];

/** Node's codes for an unreachable server. */
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The database is absent, busy or slow: a retry may succeed (G-4). */
export const isUnavailable = (error: unknown): boolean =>
  causes(error).some((cause) => {
    if (cause instanceof DatabaseServerError) return true;
    const code = errorCode(cause);
    if (code !== undefined && (SYSTEM_CODES.has(code) || SQLSTATES.some((state) => state.test(code)))) return true;
    return isDriverFailure(cause);
  });
