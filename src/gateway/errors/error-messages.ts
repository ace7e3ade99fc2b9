import { ERROR_STATUS, type ErrorCode } from '../../kernel/errors/service-error.js';

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
