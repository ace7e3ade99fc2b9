import { closedObject } from '../../platform/openapi/closed-object.js';
import { uuid } from '../../platform/openapi/value-schemas.js';
import { JWK_SET_SCHEMA } from './client-keys.schema.js';

export const CREDENTIALS_SCHEMA = closedObject(
  {
    client_id: uuid,
    client_secret: uuid,
    sha_secret: { ...uuid, description: 'Signs the webhooks of the client' },
    scope: {
      type: 'array',
      items: { type: 'string' },
      description: 'What a scope of an earlier release has become; absent for a kind of client',
    },
    jwks: { ...JWK_SET_SCHEMA, description: 'Its keys, if any were given' },
  },
  { required: ['client_id', 'client_secret', 'sha_secret'] },
);

export const SHA_SECRET_SCHEMA = closedObject({ sha_secret: uuid });
