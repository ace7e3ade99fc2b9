/** TypeORM renames the driver's error. */
export function causes(error: unknown): readonly object[] {
  const found: object[] = [];
  for (let next = error; typeof next === 'object' && next !== null && !found.includes(next); next = causeOf(next)) {
    found.push(next);
  }
  return found;
}

function causeOf(error: object): unknown {
  if ('driverError' in error) return error.driverError;
  return 'cause' in error ? error.cause : undefined;
}

/** The code of a failed system call or SQL statement (`ENOENT`, `57P03`); undefined otherwise. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/**
 * Refusals that protect the service, its database or other clients. Each has the metric
 * `matricula_refusals_total{refusal="…"}`, a log line with the client, and a row in `docs/how-to/runbook.md`.
 */
export const REFUSALS = [
  'administration-waiting',
  'answers-held',
  'bodies-waiting',
  'connections',
  'export-time',
  'credentials-waiting',
  'files-waiting',
  'imports-full',
  'logins-open',
  'logins-throttled',
  'passwords-waiting',
  'other-database',
  'other-version',
  'places-waiting',
  'queue-full',
  'records-waiting',
  'recoveries-waiting',
  'writes-waiting',
  'no-turn',
  'rate-limit',
  'failed-credentials',
  'search-cost',
  'search-timeout',
  'audit-unwritten',
  'unread-answer',
  'slow-reader',
  'statement-time',
  'slow-upload',
  'subscriptions-full',
  'upload-gave-way',
  'uploads-full',
  'tokens-revoked',
  'webhooks-waiting',
  'withdrawn',
] as const;

export type Refusal = (typeof REFUSALS)[number];

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

export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** The message, else the code, else those of an aggregate's errors, such as for a host with two dead addresses. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const several: unknown = Reflect.get(error, 'errors');
  if (Array.isArray(several)) return [...new Set(several.map(messageOf))].join('; ');
  return errorCode(error) ?? String(error);
}

/** Marks an unreachable branch: an unhandled case of a union breaks the build. */
export function absurd(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
