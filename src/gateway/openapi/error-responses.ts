import type { OpenAPIObject } from '@nestjs/swagger';
import { INVALID_INPUT } from '../../kernel/errors/faults.js';
import { ERROR_STATUS, type ErrorCode, type Issue } from '../../kernel/errors/service-error.js';
import { codeOfStatus, ERROR_MESSAGES } from '../errors/error-answer.js';

const header = (description: string) => ({ description, schema: { type: 'string' as const } });

/** Headers of error answers, by code. */
export const ERROR_HEADERS: Partial<Readonly<Record<ErrorCode, Record<string, ReturnType<typeof header>>>>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': header('What is wrong with the access token') },
  FORBIDDEN: { 'WWW-Authenticate': header('What the access token lacks') },
  TOO_MANY_REQUESTS: { 'Retry-After': header('Seconds to wait') },
  SERVICE_UNAVAILABLE: { 'Retry-After': header('Seconds to wait') },
};

/** Examples. */
const ISSUES: Partial<Readonly<Record<ErrorCode, readonly Issue[]>>> = {
  BAD_REQUEST: [
    {
      message:
        'query.clauses[0].status.term: must be one of `CREATED`, `NOTIFIED`, `DECLARED`, `REGISTERED`, `ARCHIVED`, `REVOKED`',
    },
  ],
};

function exampleOf(code: ErrorCode, description: string): object {
  const issues = ISSUES[code];
  return { message: issues === undefined ? description : INVALID_INPUT, code, ...(issues && { issues }) };
}

const ERROR_OBJECT = { $ref: '#/components/schemas/ErrorObject' };

/** Shared answers by code, as components. */
export const ERROR_RESPONSES = Object.fromEntries(
  Object.entries(ERROR_MESSAGES).map(([code, description]) => [
    code,
    {
      description,
      headers: ERROR_HEADERS[code as ErrorCode] ?? {},
      content: {
        'application/json': {
          schema: ERROR_OBJECT,
          example: exampleOf(code as ErrorCode, description),
        },
      },
    },
  ]),
);

interface Operation {
  readonly isPublic: boolean;
  /** Whether some tokens are refused. */
  readonly isRestricted: boolean;
  readonly isInternal: boolean;
  /** Also where none is expected, to explain the fault. */
  readonly readsBodies: boolean;
  /** Its path names something possibly missing. */
  readonly namesSomething: boolean;
  readonly refusesUrlKeys: boolean;
}

/** Errors of the gateway, or of such routes. */
export function errorResponsesOf(operation: Operation): object {
  const { isPublic, isRestricted, isInternal, readsBodies, namesSomething, refusesUrlKeys } = operation;
  const codes: readonly ErrorCode[] = [
    ...(readsBodies || refusesUrlKeys ? (['BAD_REQUEST'] as const) : []),
    ...(isPublic ? [] : (['UNAUTHORIZED'] as const)),
    ...(isRestricted ? (['FORBIDDEN'] as const) : []),
    // Internal addresses are hidden on the public port (P-4).
    ...(isInternal || namesSomething ? (['NOT_FOUND'] as const) : []),
    ...(readsBodies ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    // Requests and failed credentials are counted (G-8).
    ...(isPublic && !readsBodies ? [] : (['TOO_MANY_REQUESTS'] as const)),
    'INTERNAL_SERVER_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
  return Object.fromEntries(
    codes.map((code) => [String(ERROR_STATUS[code]), { $ref: `#/components/responses/${code}` }]),
  );
}

type Responses = NonNullable<NonNullable<OpenAPIObject['paths'][string]['get']>['responses']>;
type Response = NonNullable<Responses[string]>;

/**
 * Each error object gets an example (G-9), its own or from the description. Shared answers keep their description
 * unless overridden.
 */
export const withExamples = (responses: Responses): Responses =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, response && withExample(status, response)]),
  );

function withExample(status: string, response: Response): Response {
  // `@ApiResponse` defaults to an empty description.
  if ('$ref' in response)
    return 'description' in response && response.description === '' ? { $ref: response.$ref } : response;
  const json = response.content?.['application/json'];
  if (json === undefined || 'example' in json || !isErrorObject(json.schema)) return response;
  const example: unknown = exampleOf(codeOfStatus(Number(status)), response.description);
  return { ...response, content: { ...response.content, 'application/json': { ...json, example } } };
}

const isErrorObject = (schema: object = {}): boolean => '$ref' in schema && schema.$ref === ERROR_OBJECT.$ref;
