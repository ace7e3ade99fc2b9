import type { Role } from '../../kernel/domain/role.js';
import { readRoles } from './read-roles.js';
import { flag, oneOf, optional, pageUrl, type Reading, secret, text, whole } from './variable.js';

/** Users and sessions (U-1 to U-9). */
export const USER_VARIABLES = {
  ROLES: {
    ...optional(
      text('roles of users and their scopes, as JSON, usually in ROLES_FILE: docs/users.md; absent: a set', ''),
    ),
    read: (value: string): Reading<readonly Role[] | undefined> => {
      const read = readRoles(value);
      return read.kind === 'parsed' ? { value: read.value } : { faults: read.issues.map(({ message }) => message) };
    },
  },
  CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS: whole(
    'seconds without a refresh after which a user’s session ends',
    604_800,
    1,
    31_536_000,
  ),
  CONFIG_REFRESH_TOKEN_GRACE_SECONDS: whole(
    'seconds for which the refresh token before the current one is still good',
    60,
    0,
    600,
  ),
  CONFIG_SMS_CODE_EXPIRY_SECONDS: whole('seconds for which a code, and each step of a login, is good', 600, 1, 86_400),
  CONFIG_RECOVERY_LINK_EXPIRY_SECONDS: whole('seconds for which a recovery link is good', 3_600, 1, 604_800),
  TWO_FA_ENABLED: flag('whether a login asks for a code that is sent to the user; false: the code is 000000', true),
  LOGIN_RATE_LIMIT: oneOf(
    'whether requests that begin or recover a session are counted by name and by address; off for test environments, refused in production',
    'on',
    ['on', 'off'],
  ),
  SUPER_USER_PASSWORD: secret(
    'password of /auth/authenticate-super-user until the first national administrator is active; absent: refused',
    'any text of 12 characters or more',
    (value) => value.length >= 12,
  ),
  LOGIN_URL: pageUrl(
    'page that recovery links lead to, with ?token=…; absent: PUBLIC_URL, and without that localhost',
    ['http:', 'https:'],
  ),
};
