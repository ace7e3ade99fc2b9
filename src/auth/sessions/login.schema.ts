import { closedObject } from '../../platform/openapi/closed-object.js';
import { text } from '../../platform/openapi/value-schemas.js';

const TOKEN = { ...text, description: 'An access token, for `Authorization: Bearer`' };
const REFRESH_TOKEN = { ...text, description: 'For `/auth/refreshToken` alone' };
const NONCE = { ...text, description: 'Stands for this login in the requests that follow' };

/** Answer of `POST /authenticate`. */
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

/** Answer of `POST /verifyCode`: a session has begun. */
export const SESSION_SCHEMA = closedObject({ token: TOKEN, refreshToken: REFRESH_TOKEN });

/** Answer of `POST /resendAuthenticationCode`. */
export const NONCE_SCHEMA = closedObject({ nonce: NONCE });

/** Answer of `POST /authenticate-super-user`. */
export const SUPER_USER_SCHEMA = closedObject({ token: TOKEN });

/** Answer of `POST /verifyToken`. */
export const VALIDITY_SCHEMA = closedObject({ valid: { type: 'boolean' } });
