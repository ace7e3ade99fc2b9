import { GIB, KIB, MIB } from '../../kernel/domain/bytes.js';
import { ALLOWED_PATTERNS, parseRegistrationNumberPattern } from '../../kernel/domain/registration-number-pattern.js';
import {
  EVENT_TYPE_NAMES,
  type EventType,
  isEventTypeName,
} from '../../kernel/domain/event-configuration/event-type.js';
import {
  baseUrl,
  decimal,
  flag,
  list,
  oneOf,
  optional,
  type Reading,
  secret,
  secretUrl,
  secretUrls,
  text,
  whole,
  wholeOrChosen,
  withEscapes,
} from './variable.js';
import { readEventTypes } from './read-event-configuration.js';
import { FILE_VARIABLES } from './file-variables.js';
import { USER_VARIABLES } from './user-variables.js';
import { isSecretsKey, isRsaPrivateKey, isAddressOrRange, isOrigin, isTimeZone } from './variable-checks.js';
import { WEBHOOK_VARIABLES } from './webhook-variables.js';

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
    'whether the service, and commands that change data, first bring the schema up to date: docs/operations.md, Upgrading',
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
      text(
        'forms, flags and duplicate rules of event types, as JSON, usually in EVENT_CONFIG_FILE: docs/event-configuration.md',
        '',
      ),
    ),
    read: (value: string): Reading<ReadonlyMap<string, EventType> | undefined> => {
      const read = readEventTypes(value);
      return read.kind === 'parsed' ? { value: read.value } : { faults: read.issues.map(({ message }) => message) };
    },
  },

  SEARCH_MAX_LIMIT: whole('largest `limit` of a search', 10_000, 1, 100_000),
  SEARCH_MAX_COST: whole(
    'what one search may cost, in terms looked for in one field each: docs/search.md, What a search may cost',
    20_000,
    20_000,
    1_000_000,
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
    ...text('how registration numbers look: docs/confirmation.md', '{year}{sequence:7}{check}'),
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
