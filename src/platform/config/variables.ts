import { ATTACHMENT_TYPES } from '../../kernel/domain/attachment-type.js';
import { GIB, KIB, MIB } from '../../kernel/domain/bytes.js';
import {
  EVENT_TYPE_NAMES,
  type EventType,
  isEventTypeName,
} from '../../kernel/domain/event-configuration/event-type.js';
import { ALLOWED_PATTERNS, parseRegistrationNumberPattern } from '../../kernel/domain/registration-number-pattern.js';
import { isRoleId, type Role, ROLE_IDS } from '../../kernel/domain/role.js';
import { decodeScope } from '../../kernel/domain/scopes/decode-scope.js';
import { LONGEST_SCOPES, MOST_SCOPES } from '../../kernel/domain/scopes/scope.js';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { Members, NAME, outcomeOf, type Parsed, type Reader } from '../../kernel/input/readers.js';
import { parseJson } from './shapes.js';
import { readEventTypes } from './read-event-configuration.js';
import { isAddressOrRange, isOrigin, isRsaPrivateKey, isSecretsKey, isTimeZone } from './variable-checks.js';
import {
  baseUrl,
  decimal,
  flag,
  list,
  oneOf,
  optional,
  pageUrl,
  type Reading,
  secret,
  secretUrl,
  secretUrls,
  text,
  whole,
  wholeOrChosen,
  withEscapes,
} from './variable.js';
import { WEBHOOK_VARIABLES } from './webhook-variables.js';

/** Attachments and their store (F-1 to F-3). */
const FILE_VARIABLES = {
  ATTACHMENT_LIMIT_BYTES: whole('largest attachment in bytes; it is read as a stream', 10 * MIB, KIB, GIB),
  UNNAMED_UPLOAD_BYTES: whole(
    'largest total in bytes of the attachments of one caller that no record names yet; past it uploads are refused',
    GIB,
    1,
    Number.MAX_SAFE_INTEGER,
  ),
  ATTACHMENT_TYPES: list(
    'media types of attachments, by their content, between commas',
    ATTACHMENT_TYPES.join(','),
    `some of ${ATTACHMENT_TYPES.join(', ')} between commas`,
    (item) => ATTACHMENT_TYPES.some((type) => type === item),
  ),
  PRESIGNED_URL_SECONDS: whole('seconds for which the address of a file is good', 300, 1, 604_800),
  S3_BUCKET: optional(text('S3 bucket of attachments; absent: files under DATA_DIR', '')),
  S3_ENDPOINT: baseUrl('S3 service other than Amazon’s; absent: Amazon’s in S3_REGION', ['http:', 'https:']),
  S3_PUBLIC_ENDPOINT: baseUrl('the same as clients reach it, for addresses of files; absent: S3_ENDPOINT', [
    'http:',
    'https:',
  ]),
  S3_REGION: text('region of the bucket', 'us-east-1'),
  S3_ACCESS_KEY_ID: secret(
    'key for the bucket; absent: the role of the machine or container',
    'any text',
    (value) => value !== '',
  ),
  S3_SECRET_ACCESS_KEY: secret('secret of S3_ACCESS_KEY_ID', 'any text', (value) => value !== ''),
};

const MOST_ROLES = 200;

const KEYS = new Set(['id', 'label', 'scopes']);

const ROLE_ID: Reader<string> = {
  expected: `must be a name ${ROLE_IDS}`,
  read: (value) => (typeof value === 'string' && isRoleId(value) ? value : undefined),
};

/** `ROLES_FILE` (U-6). Faults have paths: `[2].scopes[0]: …`. Whether a scope grants anything is not checked. */
export function readRoles(text: string): Parsed<readonly Role[]> {
  const faults = new BoundedFaults('file');
  return outcomeOf(parseRoles(parseJson(text, faults), faults), faults);
}

function parseRoles(value: unknown, faults: Faults): readonly Role[] {
  if (!faults.none) return [];
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ROLES) {
    faults.add('file', `must be a list of 1 to ${MOST_ROLES} roles`);
    return [];
  }
  const seen = new Set<string>();
  return value.flatMap((item: unknown, at) => {
    const members = Members.of(item, `[${at}]`, faults);
    if (members === undefined) return [];
    members.refuseOthersThan(KEYS);
    const id = members.required('id', ROLE_ID);
    if (seen.has(id)) faults.add(`[${at}].id`, `repeats ${id}`);
    seen.add(id);
    return [{ id, label: members.required('label', NAME), scopes: members.parsed('scopes', parseScopes) }];
  });
}

function parseScopes(value: unknown, path: string, faults: Faults): readonly string[] {
  if (!Array.isArray(value) || value.length > MOST_SCOPES || charactersOf(value) > LONGEST_SCOPES) {
    faults.add(path, `must be a list of at most ${MOST_SCOPES} scopes, of ${LONGEST_SCOPES} characters together`);
    return [];
  }
  return value.flatMap((scope: unknown, at) => {
    if (typeof scope === 'string' && decodeScope(scope) !== undefined) return [scope];
    faults.add(memberPath(path, at), `${JSON.stringify(scope)} is no scope that can be read`);
    return [];
  });
}

/** Items that are not text are faults of their own. */
const charactersOf = (items: readonly unknown[]): number =>
  items.reduce<number>((sum, item) => sum + (typeof item === 'string' ? item.length : 0), 0);

/** Users and sessions (U-1 to U-9). */
const USER_VARIABLES = {
  ROLES: {
    ...optional(text('roles of users and their scopes, as JSON: docs/reference/users.md; absent: a set', '')),
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

/** Every variable of the service (P-5). A test keeps `.env.example` equal. */
export const VARIABLES = {
  NODE_ENV: oneOf(
    'development, test or production; production refuses to start without DATABASE_URL and SECRETS_KEY',
    'development',
    ['development', 'test', 'production'],
  ),

  PORT: whole('TCP port of the public listener, the one that a gateway exposes; 0 takes a free one', 7070, 0, 65_535),
  INTERNAL_PORT: whole(
    'TCP port of the internal listener: client registration, triggers, imports, metrics',
    3030,
    0,
    65_535,
  ),
  HOST: optional(text('address of the public listener; absent: 127.0.0.1, and 0.0.0.0 in production', '')),
  INTERNAL_HOST: optional(text('address of the internal listener; absent: 127.0.0.1, and 0.0.0.0 in production', '')),
  PUBLIC_URL: baseUrl(
    'address under which clients reach the service, named in OAuth metadata; absent: the address asked',
    ['http:', 'https:'],
  ),

  DATA_DIR: text(
    'directory of the embedded database, of the generated secrets key, and of attachments without a bucket',
    './.data',
  ),
  DATABASE_URL: secretUrl('PostgreSQL 15 or later; absent: an embedded server under DATA_DIR', [
    'postgres:',
    'postgresql:',
  ]),
  DATABASE_MIGRATION_URL: secretUrl(
    'the same database as the owner of its tables, for migrations; the service may then only add to the audit log; absent: DATABASE_URL',
    ['postgres:', 'postgresql:'],
  ),
  DATABASE_PASSWORD: secret(
    'password for DATABASE_URL and DATABASE_REPLICA_URLS where they have none, as it is: no character needs an escape',
    'any text',
    (value) => value !== '',
  ),
  DATABASE_REPLICA_URLS: secretUrls(
    'streaming replicas of that server, which searches are read from, between commas; absent: none',
    ['postgres:', 'postgresql:'],
  ),
  DATABASE_POOL_SIZE: wholeOrChosen(
    'connections to the database for searches, at least two, beside those of their own purpose; 0 stands for two per core',
    'two per core',
    2,
    500,
  ),
  DATABASE_WAIT_SECONDS: whole(
    'seconds for which a start waits for a database that does not answer yet',
    60,
    0,
    86_400,
  ),
  MIGRATE_ON_START: flag(
    'whether starts and commands first bring the schema up to date: docs/how-to/upgrade-and-backup.md',
    true,
  ),
  REDIS_URL: withEscapes(
    secretUrl('Redis, for rate limits and webhook deliveries of all processes; absent: each works for itself', [
      'redis:',
      'rediss:',
    ]),
  ),

  SECRETS_KEY: secret(
    '32 bytes in base64 under which secrets and signing keys are kept; absent: made once, under DATA_DIR',
    '32 bytes in base64 (openssl rand -base64 32)',
    isSecretsKey,
  ),
  SECRETS_KEY_PREVIOUS: secret(
    'the other key while SECRETS_KEY is changed: what was sealed under it is read too; absent: none',
    '32 bytes in base64 (openssl rand -base64 32)',
    isSecretsKey,
  ),
  JWT_PRIVATE_KEY: secret(
    'first signing key of access tokens, used when the database holds none; absent: made',
    'an RSA private key of at least 2048 bits, PKCS#8 PEM',
    isRsaPrivateKey,
  ),
  JWT_ISSUER: text('`iss` of access tokens', 'opencrvs:auth-service'),
  JWT_AUDIENCE: list(
    '`aud` of access tokens, between commas',
    'opencrvs:auth-user,opencrvs:gateway-user,opencrvs:events-user,opencrvs:search-user,opencrvs:webhooks-user,opencrvs:countryconfig-user',
    'one or more names between commas',
    (item) => item !== '',
  ),
  CONFIG_SYSTEM_TOKEN_EXPIRY_SECONDS: optional(
    whole('lifetime of a client’s access token in seconds; absent: the next', 600, 1, 604_800),
  ),
  CONFIG_TOKEN_EXPIRY_SECONDS: whole('lifetime of access tokens in seconds', 600, 1, 604_800),
  ALLOW_LONG_TOKENS: flag('whether lifetimes over 600 seconds are accepted', false),
  TOKEN_RESPONSE: oneOf(
    'oauth: a token’s answer has expires_in and scope, by which clients renew it; minimal: neither',
    'oauth',
    ['minimal', 'oauth'],
  ),

  ...USER_VARIABLES,

  BODY_LIMIT_BYTES: whole('largest request body in bytes', MIB, KIB, GIB),
  IMPORT_LIMIT_BYTES: whole(
    'largest body of POST /events/bulk-import in bytes; it is read as a stream',
    GIB,
    KIB,
    1_024 * GIB,
  ),
  ...FILE_VARIABLES,
  MAX_CONNECTIONS: whole(
    'connections that each of the two ports holds at once; past it those without a request end first',
    2_000,
    1,
    1_000_000,
  ),
  KEEP_ALIVE_SECONDS: whole(
    'seconds for which an idle connection stays open, on both ports; longer than the idle time of the gateway before it',
    95,
    1,
    3_600,
  ),
  RATE_LIMIT_PER_MINUTE: whole('requests per minute and client; 0 is without limit', 0, 0, 1_000_000_000),
  TRUSTED_PROXIES: list(
    'addresses or CIDR ranges of proxies whose X-Forwarded-For is believed, between commas',
    '',
    'IP addresses or CIDR ranges between commas',
    isAddressOrRange,
  ),
  CORS_ORIGINS: list(
    'origins that browsers may call from, between commas; absent: none',
    '',
    'origins such as https://example.org between commas',
    isOrigin,
  ),

  TIMEZONE: {
    ...text('IANA time zone of calendar dates and of the year', 'UTC'),
    read: (value: string) => (isTimeZone(value) ? { value } : { allowed: 'an IANA time zone such as Africa/Lusaka' }),
  },
  EVENT_TYPES: optional(
    list(
      'types of event that may be created, between commas; absent: those of EVENT_CONFIG, or birth,death,marriage',
      '',
      `names ${EVENT_TYPE_NAMES} between commas`,
      isEventTypeName,
    ),
  ),
  EVENT_CONFIG: {
    ...optional(
      text('forms, flags and duplicate rules of event types, as JSON: docs/reference/country-configuration.md', ''),
    ),
    read: (value: string): Reading<ReadonlyMap<string, EventType> | undefined> => {
      const read = readEventTypes(value);
      return read.kind === 'parsed' ? { value: read.value } : { faults: read.issues.map(({ message }) => message) };
    },
  },

  SEARCH_MAX_LIMIT: whole('largest `limit` of a search', 10_000, 1, 100_000),
  SEARCH_MAX_COST: whole(
    'what one search may cost, which can only be lowered: docs/explanation/search.md, What a search may cost',
    2_000,
    100,
    2_000,
  ),
  SEARCH_TIMEOUT_SECONDS: decimal('seconds for one search, its wait for a turn included', 30, 0.1, 3_600),
  EXPORT_MAX_SECONDS: whole('seconds after which a stream of records is broken off', 3_600, 1, 86_400),
  SEARCH_HEAVY_AT_ONCE: whole(
    'heavy searches that run at a time, fewer than connections; 0 means half of those plus one',
    0,
    0,
    500,
  ),
  SEARCH_QUEUE_LENGTH: whole('heavy searches that may wait for their turn, and as many streams', 100, 0, 100_000),

  AUDIT_RETENTION_MONTHS: whole('whole months for which the audit log is kept; 0: for ever', 0, 0, 1_200),

  REGISTRATION_NUMBER_PATTERN: {
    ...text('how registration numbers look: docs/reference/country-configuration.md', '{year}{sequence:7}{check}'),
    read: (value: string) => {
      const pattern = parseRegistrationNumberPattern(value);
      return pattern === undefined ? { allowed: ALLOWED_PATTERNS } : { value: pattern };
    },
  },

  COUNTRY_CONFIG_URL: baseUrl(
    'address of the country configuration, which confirms what is requested; absent: everything is accepted at once',
    ['http:', 'https:'],
  ),
  CONFIRMATION_TIMEOUT_SECONDS: decimal('seconds for one exchange with the country configuration', 10, 0.1, 300),
  CONFIRMATION_WAIT_SECONDS: decimal(
    'seconds for which whoever requests an action waits for what becomes of it',
    5,
    0,
    60,
  ),

  ...WEBHOOK_VARIABLES,

  DEMO_RECORDS: whole(
    'records of the demonstration country made on an empty embedded database; 0: neither data nor client',
    2_000,
    0,
    10_000_000,
  ),
  LOG_LEVEL: oneOf('fatal, error, warn, info, debug or trace', 'info', [
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
  ]),
  SHUTDOWN_DELAY_SECONDS: whole('seconds between SIGTERM (readiness turns 503) and the end of accepting', 0, 0, 3_600),
  SHUTDOWN_GRACE_SECONDS: whole('seconds that requests in flight have to finish', 20, 0, 3_600),
};
