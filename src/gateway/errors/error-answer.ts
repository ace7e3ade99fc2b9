import { HttpException } from '@nestjs/common';
import {
  ERROR_STATUS,
  errorCode,
  type ErrorCode,
  type Issue,
  ServiceError,
} from '../../kernel/errors/service-error.js';
import { isDriverFailure } from '../../kernel/errors/sql-state.js';
import { DatabaseServerError } from '../../platform/database/connection/database-server.js';
import { isOtherDerivedVersion } from '../../platform/database/connection/derived-version.js';
import { causes } from './causes.js';
import { codeOfStatus, ERROR_MESSAGES } from './error-messages.js';

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
const isUnavailable = (error: unknown): boolean =>
  causes(error).some((cause) => {
    if (cause instanceof DatabaseServerError) return true;
    const code = errorCode(cause);
    if (code !== undefined && (SYSTEM_CODES.has(code) || SQLSTATES.some((state) => state.test(code)))) return true;
    return isDriverFailure(cause);
  });

/** The answer of an error has exactly these keys (G-4). */
export interface ErrorObject {
  readonly message: string;
  readonly code: ErrorCode;
  readonly issues?: readonly Issue[];
}

/** G-4. */
interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorObject;
}

const RETRY_SOON = { 'retry-after': '1' };
/** For errors that need an operator. */
const RETRY_LATER = { 'retry-after': '60' };

/** Answers an error (G-4); a 500 without details. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof ServiceError) {
    return error.code === 'INTERNAL_SERVER_ERROR'
      ? answer(error.code)
      : answer(error.code, error.headers, error.message, error.issues);
  }
  const refused = causes(error).find(isOtherDerivedVersion);
  if (refused !== undefined) return answer('SERVICE_UNAVAILABLE', RETRY_LATER, refused.message);
  if (isUnavailable(error)) return answer('SERVICE_UNAVAILABLE', RETRY_SOON);
  return answer(codeOfLibraryError(error));
}

function codeOfLibraryError(error: unknown): ErrorCode {
  if (error instanceof HttpException) {
    return isAddressError(error.cause) ? 'NOT_FOUND' : codeOfStatus(error.getStatus());
  }
  if (isAddressError(error)) return 'NOT_FOUND';
  const isHttpError = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
  return isHttpError ? codeOfStatus(Number(error.statusCode)) : 'INTERNAL_SERVER_ERROR';
}

/** The router refuses a path: no such address (G-1). */
const isAddressError = (error: unknown): boolean =>
  error instanceof Error && ['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH'].includes(errorCode(error) ?? '');

function answer(
  code: ErrorCode,
  headers: ErrorAnswer['headers'] = {},
  message = ERROR_MESSAGES[code],
  issues: readonly Issue[] = [],
): ErrorAnswer {
  return { status: ERROR_STATUS[code], headers, body: { message, code, ...(issues.length > 0 && { issues }) } };
}
