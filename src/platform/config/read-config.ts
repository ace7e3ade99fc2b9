import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { SHIPPED_EVENT_TYPES } from '../../kernel/domain/event-configuration/shipped-event-types.js';
import { errorCode } from '../../kernel/errors/service-error.js';
import type { Config, Readings } from './config.js';
import { Secret } from './secret.js';
import type { Variable } from './variable.js';
import { VARIABLES } from './variables.js';

/** The process environment; outside production completed by `.env` (P-5). */
export function environment(): Readonly<Record<string, string | undefined>> {
  if (process.env.NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** One line per fault: the variable, what was wrong and what is allowed (P-5). */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const values = Object.fromEntries(
    Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => [
      name,
      readVariable(name, variable, environment, faults),
    ]),
  ) as Readings;

  const production = values.NODE_ENV === 'production';
  if (production) faults.push(...missingInProduction(environment));
  if (production && values.LOGIN_RATE_LIMIT === 'off') {
    faults.push('LOGIN_RATE_LIMIT: is "off", which is for test environments; allowed in production: on');
  }
  faults.push(...faultsOfLifetimes(values));
  const leastLeaseSeconds = leastLeaseSecondsOf(values);
  if ((values.WEBHOOK_LEASE_SECONDS ?? Infinity) < leastLeaseSeconds) {
    faults.push(
      `WEBHOOK_LEASE_SECONDS: is ${values.WEBHOOK_LEASE_SECONDS ?? ''}; ` +
        `allowed: at least ${leastLeaseSeconds}, WEBHOOK_TIMEOUT_SECONDS and 10 more`,
    );
  }
  faults.push(...typesNotNamed(values));
  faults.push(...faultsOfS3(values));
  const everywhere = production ? '0.0.0.0' : '127.0.0.1';
  const hosts = {
    HOST: orElse(values.HOST, everywhere),
    INTERNAL_HOST: orElse(values.INTERNAL_HOST, everywhere),
  };
  if (isOneListener({ ...values, ...hosts })) {
    faults.push(`INTERNAL_PORT: is ${values.INTERNAL_PORT}, as PORT is; allowed: another port, or 0`);
  }
  if (faults.length > 0) throw new ConfigError(faults);

  // Searches over many records leave one to the others.
  const connections = values.DATABASE_POOL_SIZE || Math.min(500, 2 * Math.max(1, cpus().length));
  return Object.freeze({
    ...values,
    ...addressesOf(values),
    ...hosts,
    production,
    eventConfiguration: eventConfigurationOf(values),
    DATABASE_POOL_SIZE: connections,
    systemTokenSeconds: values.CONFIG_SYSTEM_TOKEN_EXPIRY_SECONDS ?? values.CONFIG_TOKEN_EXPIRY_SECONDS,
    webhookLeaseSeconds: values.WEBHOOK_LEASE_SECONDS ?? Math.max(30, leastLeaseSeconds),
  });
}

const missingInProduction = (environment: Environment): readonly string[] =>
  (['DATABASE_URL', 'SECRETS_KEY'] as const)
    .filter((name) => isAbsent(name, environment))
    .map((name) => `${name}: missing; production needs it; ${allowedOf(name)}`);

/** Token lifetimes above 600 seconds need ALLOW_LONG_TOKENS. */
const faultsOfLifetimes = (values: Readings): readonly string[] =>
  (['CONFIG_SYSTEM_TOKEN_EXPIRY_SECONDS', 'CONFIG_TOKEN_EXPIRY_SECONDS'] as const)
    .filter((name) => (values[name] ?? 0) > 600 && !values.ALLOW_LONG_TOKENS)
    .map(
      (name) => `${name}: is ${values[name] ?? ''}; allowed: at most 600, or any lifetime with ALLOW_LONG_TOKENS=true`,
    );

/** Includes recording the outcome (W-8). */
const leastLeaseSecondsOf = ({ WEBHOOK_TIMEOUT_SECONDS }: Readings): number => Math.ceil(WEBHOOK_TIMEOUT_SECONDS) + 10;

type EventVariables = Pick<Config, 'EVENT_TYPES' | 'EVENT_CONFIG'>;

/** Types in the file but not in the list of names. */
function typesNotNamed({ EVENT_TYPES: named, EVENT_CONFIG: described }: EventVariables): readonly string[] {
  if (named === undefined || described === undefined) return [];
  return [...described.keys()]
    .filter((type) => !named.includes(type))
    .map(
      (type) =>
        `EVENT_TYPES: has no ${type}, which the event configuration describes; allowed: at least what it describes`,
    );
}

const eventConfigurationOf = ({ EVENT_TYPES: named, EVENT_CONFIG: described }: EventVariables): EventConfiguration =>
  new EventConfiguration([...new Set(named ?? (described ?? SHIPPED_EVENT_TYPES).keys())], described);

function faultsOfS3(values: Readings): readonly string[] {
  const isHalfAKey = (values.S3_ACCESS_KEY_ID === undefined) !== (values.S3_SECRET_ACCESS_KEY === undefined);
  return [
    ...(['S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT', 'S3_ACCESS_KEY_ID'] as const)
      .filter((name) => values[name] !== undefined && values.S3_BUCKET === undefined)
      .map((name) => `${name}: is given without S3_BUCKET; allowed: both, or neither`),
    ...(isHalfAKey ? ['S3_SECRET_ACCESS_KEY: allowed: together with S3_ACCESS_KEY_ID, or neither'] : []),
  ];
}

const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

const isOneListener = ({
  PORT,
  INTERNAL_PORT,
  HOST,
  INTERNAL_HOST,
}: Pick<Config, 'PORT' | 'INTERNAL_PORT' | 'HOST' | 'INTERNAL_HOST'>): boolean =>
  PORT > 0 &&
  PORT === INTERNAL_PORT &&
  (HOST === INTERNAL_HOST || EVERY_ADDRESS.has(HOST) || EVERY_ADDRESS.has(INTERNAL_HOST));

function addressesOf({
  DATABASE_URL: url,
  DATABASE_REPLICA_URLS: replicas,
  DATABASE_PASSWORD: password,
}: Pick<Config, 'DATABASE_URL' | 'DATABASE_REPLICA_URLS' | 'DATABASE_PASSWORD'>) {
  if (password === undefined) return {};
  return {
    DATABASE_URL: url && withPassword(url, password),
    DATABASE_REPLICA_URLS: replicas.map((replica) => withPassword(replica, password)),
  };
}

const orElse = (value: string | undefined, fallback: string): string =>
  value === undefined || value === '' ? fallback : value;

const isAbsent = (name: string, environment: Environment): boolean =>
  !environment[name] && !environment[`${name}_FILE`];

function allowedOf(name: 'DATABASE_URL' | 'SECRETS_KEY'): string {
  const reading = VARIABLES[name].read('');
  return 'allowed' in reading ? `allowed: ${reading.allowed}` : '';
}

function readVariable(name: string, variable: Variable<unknown>, environment: Environment, faults: string[]): unknown {
  const text = textOf(name, environment, faults) ?? variable.fallback;
  if (text === undefined) return undefined;
  const reading = variable.read(text);
  if ('value' in reading) return reading.value;
  if ('faults' in reading) {
    const given = environment[name] ? name : `${name}_FILE`;
    faults.push(...reading.faults.map((fault) => `${given}: ${fault}`));
    return undefined;
  }
  const found = variable.secret ? 'has a value that cannot be used' : `is ${JSON.stringify(text)}`;
  faults.push(`${name}: ${found}; allowed: ${reading.allowed}`);
  return undefined;
}

function textOf(name: string, environment: Environment, faults: string[]): string | undefined {
  const direct = environment[name];
  const file = environment[`${name}_FILE`];
  if (direct && file) {
    faults.push(`${name}: is given twice; allowed: ${name} or ${name}_FILE`);
    return undefined;
  }
  // `docker compose` passes unset variables as empty.
  if (direct) return direct;
  if (!file) return undefined;
  try {
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) {
      faults.push(`${name}_FILE: is the path of a file in another encoding; allowed: a file in UTF-8`);
      return undefined;
    }
    const text = bytes.toString('utf8').replace(BYTE_ORDER_MARK, '').trimEnd();
    if (text !== '') return text;
    // For instance an unfilled mount: continuing without the variable would be wrong.
    faults.push(`${name}_FILE: is the path of a file without a value; allowed: a file with one, or no ${name}_FILE`);
  } catch (error) {
    // The path is hidden: it may be the value under the wrong name.
    faults.push(
      `${name}_FILE: cannot be read (${errorCode(error) ?? 'unknown'}); allowed: the path of a readable file`,
    );
  }
  return undefined;
}

/** Some editors write it. */
const BYTE_ORDER_MARK = /^\ufeff/;

/** Unless the address has one; no character needs an escape. A socket's address takes it as a parameter. */
function withPassword(address: Secret, password: Secret): Secret {
  const url = new URL(address.reveal());
  if (url.password !== '' || url.searchParams.has('password')) return address;
  if (url.host === '') url.searchParams.set('password', password.reveal());
  else url.password = encodeURIComponent(password.reveal());
  return new Secret(url.href);
}
