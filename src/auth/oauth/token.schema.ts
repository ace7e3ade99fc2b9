import type { ApiResponseNoStatusOptions } from '@nestjs/swagger';
import { closedObject, text, uuid } from '../../platform/openapi/schemas.js';
import { JWT_BEARER } from '../clients/client-assertions.js';
import type { OAuthErrorCode } from '../tokens/oauth-error.js';
import { ClientCredentialsGrant } from './client-credentials.grant.js';

export const TOKEN_PARAMETERS_SCHEMA = {
  type: 'object',
  title: 'TokenToDealWith',
  description: 'As a form or as JSON, the credentials also by HTTP Basic; nothing in the URL.',
  properties: {
    token: text,
    token_type_hint: { ...text, description: 'Not needed: the kind of a token is seen from the token' },
    client_id: uuid,
    client_secret: text,
    client_assertion: { ...text, description: 'In place of the secret, as at the token endpoint' },
    client_assertion_type: text,
  },
  required: ['token'],
};

/** RFC 7662 2.2. */
export const INTROSPECTION_SCHEMA = closedObject(
  {
    active: { type: 'boolean', description: 'Where it is false there is nothing else' },
    scope: { ...text, description: 'What an access token may do now, between spaces' },
    client_id: { ...uuid, description: 'Of a client’s token' },
    token_type: { type: 'string', enum: ['Bearer'], description: 'Of an access token' },
    userType: { type: 'string', enum: ['user', 'system'] },
    role: { ...text, description: 'Of a session’s user, as it is now' },
    office: { ...uuid, description: 'Where the user works now' },
    iss: text,
    sub: text,
    aud: { type: 'array', items: text },
    exp: { type: 'integer' },
    iat: { type: 'integer' },
    jti: text,
  },
  { required: ['active'] },
);

export const TOKEN_REQUEST_SCHEMA = {
  type: 'object',
  // Otherwise client generators name it like the operation's own parameters.
  title: 'TokenParameters',
  description:
    'As a form or as JSON; the two credentials also by HTTP Basic, and all of it in the URL (deprecated). ' +
    'With an assertion (RFC 7523) there is no secret.',
  properties: {
    grant_type: { type: 'string', enum: [ClientCredentialsGrant.TYPE] },
    client_id: uuid,
    client_secret: text,
    client_assertion: {
      ...text,
      maxLength: 8192,
      description:
        'A JWT that one of the client’s registered keys has signed, for `PUBLIC_URL`, good once, for 5 minutes',
    },
    client_assertion_type: { type: 'string', enum: [JWT_BEARER] },
    scope: {
      ...text,
      description:
        'Scopes of the client between spaces, in any of their spellings: the token has these alone. ' +
        'Absent: all that the client holds. One that it does not hold: 400 invalid_scope.',
      examples: ['recordsearch', 'type=record.search&event=birth,death'],
    },
  },
};

export const OLDER_ANSWER_SCHEMA = closedObject({ token: text });

export const TOKEN_ANSWER_SCHEMA = closedObject(
  {
    access_token: { ...text, description: 'A JWT for `Authorization: Bearer`' },
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: { type: 'integer', description: 'Lifetime in seconds; absent with TOKEN_RESPONSE=minimal' },
    scope: {
      ...text,
      description:
        'The granted scopes between spaces; absent with TOKEN_RESPONSE=minimal, unless the request has `scope`',
    },
  },
  { required: ['access_token', 'token_type'] },
);

const OAUTH_DESCRIPTIONS = {
  invalid_request: 'client_id and client_secret must be given',
  invalid_client: 'client_id or client_secret is wrong',
} as const;

interface OAuthErrors {
  readonly others?: readonly OAuthErrorCode[];
  readonly description?: string;
  readonly headers?: ApiResponseNoStatusOptions['headers'];
}

/** `error` or one of `others`; `error` is the example. */
export const oauthErrorResponse = (
  error: keyof typeof OAUTH_DESCRIPTIONS,
  { others = [], description = [error, ...others].join(', '), headers = {} }: OAuthErrors = {},
): ApiResponseNoStatusOptions => ({
  description,
  schema: {
    type: 'object',
    description: 'RFC 6749 5.2',
    properties: {
      error: { type: 'string', enum: [error, ...others] },
      error_description: text,
      error_uri: { type: 'string', format: 'uri' },
    },
    required: ['error', 'error_description', 'error_uri'],
    additionalProperties: false,
  },
  example: { error, error_description: OAUTH_DESCRIPTIONS[error], error_uri: 'https://register.example.org/docs' },
  headers: {
    ...headers,
    ...(error === 'invalid_client' && {
      'WWW-Authenticate': { description: '`Basic`, if the request used it', schema: { type: 'string' } },
    }),
  },
});
