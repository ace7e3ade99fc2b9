import { HttpException } from '@nestjs/common';
import {
  causes,
  ERROR_STATUS,
  errorCode,
  type ErrorCode,
  type Issue,
  ServiceError,
} from '../../kernel/errors/service-error.js';
import { isDriverFailure } from '../../kernel/errors/sql-state.js';
import { DatabaseServerError } from '../../platform/database/connection/database-server.js';
import { isOtherDerivedVersion } from '../../platform/database/connection/derived-version.js';

/** Before its request was read: not a fault. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}

const CLOSED = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ABORT_ERR']);

export const isClientGone = (error: unknown, connectionClosed: boolean): boolean =>
  error instanceof ClientGone || (connectionClosed && error instanceof Error && CLOSED.has(errorCode(error) ?? ''));

/** Default messages. */
export const ERROR_MESSAGES: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'Invalid input data',
  UNAUTHORIZED: 'Authorization not provided',
  FORBIDDEN: 'Insufficient access',
  NOT_FOUND: 'Not found',
  METHOD_NOT_ALLOWED: 'Method not allowed',
  CONFLICT: 'Conflict with what is stored',
  PAYLOAD_TOO_LARGE: 'Request body is too large',
  UNSUPPORTED_MEDIA_TYPE: 'Media type is not supported',
  UNPROCESSABLE_CONTENT: 'Content cannot be processed',
  TOO_MANY_REQUESTS: 'Too many requests',
  INTERNAL_SERVER_ERROR: 'Internal server error',
  SERVICE_UNAVAILABLE: 'Service is not available',
};

/** Other statuses map by class (G-4). */
export function codeOfStatus(status: number): ErrorCode {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
  return (
    codes.find((code) => ERROR_STATUS[code] === status) ??
    (status >= 400 && status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR')
  );
}

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
