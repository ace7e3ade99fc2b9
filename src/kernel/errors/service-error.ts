import type { Refusal } from './refusal.js';

/** Error codes of answers with their HTTP status (G-4). */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_CONTENT: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** `message` begins with the path of the fault (G-4). */
export interface Issue {
  readonly message: string;
}

export interface ErrorDetails {
  readonly issues?: readonly Issue[];
  /** Such as `Retry-After` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly refusal?: Refusal;
  readonly cause?: unknown;
}

/** The only error raised on purpose; the gateway's filter turns it into the error object of G-4. */
export class ServiceError extends Error {
  readonly issues: readonly Issue[];
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: Refusal | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { issues = [], headers = {}, refusal, cause }: ErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.issues = issues;
    this.headers = headers;
    this.refusal = refusal;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}
