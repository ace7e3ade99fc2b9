import { closedObject, text, uuid } from '../../platform/openapi/schemas.js';

export const SESSION_TOKENS_SCHEMA = closedObject({
  token: {
    ...text,
    description:
      'The access token: a JWT for `Authorization: Bearer`, good for ten minutes at most, unless `ALLOW_LONG_TOKENS` is set',
  },
  refreshToken: { ...text, description: 'For `/auth/refreshToken` alone' },
});

export const NOTHING_SCHEMA = { type: 'object', additionalProperties: false };

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
