import { REGISTRATIONS } from './register-system-client.dto.js';

const uuid = { type: 'string', format: 'uuid' } as const;

/** OpenAPI schemas of the administration of system clients. */
export const REGISTRATION_SCHEMA = {
  type: 'object',
  properties: {
    scope: { type: 'string', enum: REGISTRATIONS },
    name: { type: 'string', minLength: 1, maxLength: 200, description: 'Shown in lists; absent: the scope' },
  },
  required: ['scope'],
  additionalProperties: false,
};

export const CREDENTIALS_SCHEMA = {
  type: 'object',
  properties: {
    client_id: uuid,
    client_secret: uuid,
    sha_secret: { ...uuid, description: 'Signs the webhooks of the client' },
  },
  required: ['client_id', 'client_secret', 'sha_secret'],
  additionalProperties: false,
};

export const CLIENT_ID_SCHEMA = {
  type: 'object',
  properties: { client_id: uuid },
  required: ['client_id'],
  additionalProperties: false,
};

export const SHA_SECRET_SCHEMA = {
  type: 'object',
  properties: { sha_secret: uuid },
  required: ['sha_secret'],
  additionalProperties: false,
};
