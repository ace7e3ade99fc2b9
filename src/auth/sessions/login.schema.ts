import { closedObject, text } from '../../platform/openapi/schemas.js';

const TOKEN = { ...text, description: 'An access token, for `Authorization: Bearer`' };
const REFRESH_TOKEN = { ...text, description: 'For `/auth/refreshToken` alone' };
const NONCE = { ...text, description: 'Stands for this login in the requests that follow' };

export const AUTHENTICATED_SCHEMA = closedObject(
  {
    nonce: NONCE,
    mobile: text,
    email: text,
    status: { type: 'string', enum: ['active', 'pending'] },
    token: { ...TOKEN, description: 'Only for a pending user, of whom no code is asked' },
    refreshToken: REFRESH_TOKEN,
  },
  { required: ['nonce', 'status'] },
);

export const SESSION_SCHEMA = closedObject({ token: TOKEN, refreshToken: REFRESH_TOKEN });

export const NONCE_SCHEMA = closedObject({ nonce: NONCE });

export const SUPER_USER_SCHEMA = closedObject({ token: TOKEN });

export const VALIDITY_SCHEMA = closedObject({ valid: { type: 'boolean' } });
