const text = { type: 'string' } as const;

const object = (properties: Readonly<Record<string, object>>, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
});

const TOKEN = { ...text, description: 'An access token, for `Authorization: Bearer`' };
const REFRESH_TOKEN = { ...text, description: 'For `/auth/refreshToken` alone' };
const NONCE = { ...text, description: 'Stands for this login in the requests that follow' };

/** Answer of `POST /authenticate`. */
export const AUTHENTICATED_SCHEMA = object(
  {
    nonce: NONCE,
    mobile: text,
    email: text,
    status: { type: 'string', enum: ['active', 'pending'] },
    token: { ...TOKEN, description: 'Only for a pending user, of whom no code is asked' },
    refreshToken: REFRESH_TOKEN,
  },
  ['nonce', 'status'],
);

/** Answer of `POST /verifyCode`: a session has begun. */
export const SESSION_SCHEMA = object({ token: TOKEN, refreshToken: REFRESH_TOKEN }, ['token', 'refreshToken']);

/** Answer of `POST /resendAuthenticationCode`. */
export const NONCE_SCHEMA = object({ nonce: NONCE }, ['nonce']);

/** Answer of `POST /authenticate-super-user`. */
export const SUPER_USER_SCHEMA = object({ token: TOKEN }, ['token']);

/** Answer of `POST /verifyToken`. */
export const VALIDITY_SCHEMA = object({ valid: { type: 'boolean' } }, ['valid']);
