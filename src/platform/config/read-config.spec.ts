import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { createTestAuthority } from '../../../test/support/scripted-subscriber-certificates.js';
import { envExample } from './env-example.js';
import { ConfigError, readConfig } from './read-config.js';

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

describe('readConfig', () => {
  it('needs nothing at all outside production', () => {
    const config = readConfig({});
    expect({ ...config, DATABASE_POOL_SIZE: 'by cores' }).toMatchObject({
      NODE_ENV: 'development',
      PORT: 7070,
      INTERNAL_PORT: 3030,
      HOST: '127.0.0.1',
      INTERNAL_HOST: '127.0.0.1',
      DATABASE_URL: undefined,
      DATA_DIR: './.data',
      systemTokenSeconds: 600,
      TIMEZONE: 'UTC',
      JWT_ISSUER: 'opencrvs:auth-service',
      production: false,
    });
    expect(config.DATABASE_POOL_SIZE).toBeGreaterThanOrEqual(2);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('names every fault at once: name, what was wrong, what is allowed', () => {
    expect(faultsOf({ PORT: '70700', TIMEZONE: 'Mars/Olympus', LOG_LEVEL: 'loud' })).toEqual([
      'PORT: is "70700"; allowed: a whole number from 0 to 65535',
      'TIMEZONE: is "Mars/Olympus"; allowed: an IANA time zone such as Africa/Lusaka',
      'LOG_LEVEL: is "loud"; allowed: one of fatal, error, warn, info, debug, trace',
    ]);
  });

  it.each(['CAT', 'AST', 'ist', '+02:00', 'Lusaka', 'UTC '])('refuses the time zone %j', (zone) => {
    // Intl and PostgreSQL disagree about abbreviations, and about the sign of an offset.
    const fault = `TIMEZONE: is "${zone}"; allowed: an IANA time zone such as Africa/Lusaka`;
    expect(faultsOf({ TIMEZONE: zone })).toEqual([fault]);
  });

  it.each(['Africa/Lusaka', 'US/Pacific', 'EST', 'utc', 'Etc/GMT-2'])('takes the time zone %s', (zone) => {
    expect(readConfig({ TIMEZONE: zone }).TIMEZONE).toBe(zone);
  });

  it.each(['1', '501', '2.5', '-2'])('refuses a pool of %s connections: searches leave one to the others', (size) => {
    expect(faultsOf({ DATABASE_POOL_SIZE: size })).toEqual([
      `DATABASE_POOL_SIZE: is "${size}"; allowed: 0 (two per core), or a whole number from 2 to 500`,
    ]);
  });

  it.each([2, 500])('takes a pool of %d connections', (size) => {
    expect(readConfig({ DATABASE_POOL_SIZE: String(size) }).DATABASE_POOL_SIZE).toBe(size);
  });

  it('leaves out white space around a URL, and refuses it within', () => {
    const given = {
      PUBLIC_URL: ' https://x.example/ ',
      DATABASE_URL: 'postgres://h/db \r',
      REDIS_URL: 'redis://h/1\t',
    };
    const { PUBLIC_URL, DATABASE_URL, REDIS_URL } = readConfig(given);
    expect([PUBLIC_URL, DATABASE_URL?.reveal(), REDIS_URL?.reveal()]).toEqual([
      'https://x.example/',
      'postgres://h/db',
      'redis://h/1',
    ]);
    expect(faultsOf({ PUBLIC_URL: 'https://x.example/ # ours' })).toEqual([
      'PUBLIC_URL: is "https://x.example/ # ours"; allowed: a URL that begins with http:// or https://',
    ]);
  });

  it('leaves out white space around a text, and refuses a blank one', () => {
    const { JWT_ISSUER, HOST } = readConfig({ JWT_ISSUER: 'the registry \r', HOST: ' ::1' });
    expect([JWT_ISSUER, HOST]).toEqual(['the registry', '::1']);
    expect(faultsOf({ DATA_DIR: ' ', S3_BUCKET: '\t' })).toEqual([
      'DATA_DIR: is " "; allowed: any text that is not blank',
      'S3_BUCKET: is "\\t"; allowed: any text that is not blank',
    ]);
  });

  it('refuses a password of Redis with a % that escapes nothing', () => {
    expect(readConfig({ REDIS_URL: 'redis://:100%25@h' }).REDIS_URL?.reveal()).toBe('redis://:100%25@h');
    expect(faultsOf({ REDIS_URL: 'redis://:100%@h' })).toEqual([
      'REDIS_URL: has a value that cannot be used; allowed: a URL in whose user name and password a % is written as %25',
    ]);
  });

  it('never repeats a secret in a fault', () => {
    expect(faultsOf({ SECRETS_KEY: 'hunter2', DATABASE_URL: 'mysql://u:hunter2@h/db' }).join()).not.toContain(
      'hunter2',
    );
  });

  it('reads addresses of replicas between commas, and repeats none of them', () => {
    const urls = ['postgres://u:hunter2@a/db', 'postgresql://u:hunter2@b:5433/db'];
    const { DATABASE_REPLICA_URLS } = readConfig({ DATABASE_REPLICA_URLS: urls.join(' , ') });
    expect(DATABASE_REPLICA_URLS.map((url) => url.reveal())).toEqual(urls);
    expect(inspect(DATABASE_REPLICA_URLS)).not.toContain('hunter2');
    expect(readConfig({}).DATABASE_REPLICA_URLS).toEqual([]);
    expect(faultsOf({ DATABASE_REPLICA_URLS: 'postgres://u:hunter2@a/db,redis://b' })).toEqual([
      'DATABASE_REPLICA_URLS: has a value that cannot be used; allowed: URLs between commas that begin with postgres:// or postgresql://',
    ]);
  });

  it('puts the password that stands beside an address into it, whatever it is made of', () => {
    const password = 'p@ss/w#rd:%20?';
    const { DATABASE_URL, DATABASE_REPLICA_URLS } = readConfig({
      DATABASE_URL: 'postgres://u@h:5432/db?sslmode=require',
      DATABASE_REPLICA_URLS: 'postgres://u:own@a/db,postgres://u@b/db',
      DATABASE_PASSWORD: password,
    });
    const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);
    expect(DATABASE_URL?.reveal()).toBe(`postgres://u:${encodeURIComponent(password)}@h:5432/db?sslmode=require`);
    expect(DATABASE_REPLICA_URLS.map((url) => passwordOf(url.reveal()))).toEqual(['own', password]);
  });

  it('puts it into the address of a socket too, which has no place for a password before the host', () => {
    const password = 'p@ss/w#rd:%20?';
    const { DATABASE_URL, DATABASE_REPLICA_URLS } = readConfig({
      DATABASE_URL: 'postgres:///matricula?host=/run/postgresql&user=matricula',
      DATABASE_REPLICA_URLS: 'postgres:///matricula?host=/run/replica&password=own',
      DATABASE_PASSWORD: password,
    });
    const given = [DATABASE_URL, ...DATABASE_REPLICA_URLS].map((url) =>
      Object.fromEntries(new URL(url?.reveal() ?? '').searchParams),
    );
    expect(given).toEqual([
      { host: '/run/postgresql', user: 'matricula', password },
      { host: '/run/replica', password: 'own' },
    ]);
  });

  it('refuses production without a database and a secrets key, and opens its listeners there', () => {
    expect(faultsOf({ NODE_ENV: 'production' })).toEqual([
      'DATABASE_URL: missing; production needs it; allowed: a URL that begins with postgres:// or postgresql://',
      'SECRETS_KEY: missing; production needs it; allowed: 32 bytes in base64 (openssl rand -base64 32)',
    ]);
    expect(readConfig({ NODE_ENV: 'production', DATABASE_URL: 'postgres://h/db', SECRETS_KEY })).toMatchObject({
      HOST: '0.0.0.0',
      INTERNAL_HOST: '0.0.0.0',
    });
  });

  it('takes LOGIN_RATE_LIMIT=off for test environments, and refuses it in production (U-8)', () => {
    const off = { LOGIN_RATE_LIMIT: 'off' };
    expect([readConfig({}).LOGIN_RATE_LIMIT, readConfig(off).LOGIN_RATE_LIMIT]).toEqual(['on', 'off']);
    expect(faultsOf({ ...off, NODE_ENV: 'production', DATABASE_URL: 'postgres://h/db', SECRETS_KEY })).toEqual([
      'LOGIN_RATE_LIMIT: is "off", which is for test environments; allowed in production: on',
    ]);
  });

  it('takes any variable from the file that NAME_FILE names, but not both', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'matricula-config-')), 'issuer');
    writeFileSync(file, 'registry of somewhere\n');
    expect(readConfig({ JWT_ISSUER_FILE: file }).JWT_ISSUER).toBe('registry of somewhere');
    expect(faultsOf({ JWT_ISSUER_FILE: file, JWT_ISSUER: 'x' })).toEqual([
      'JWT_ISSUER: is given twice; allowed: JWT_ISSUER or JWT_ISSUER_FILE',
    ]);
    expect(faultsOf({ JWT_ISSUER_FILE: `${file}.missing` })).toEqual([
      'JWT_ISSUER_FILE: cannot be read (ENOENT); allowed: the path of a readable file',
    ]);
    writeFileSync(file, Buffer.from('état civil', 'latin1'));
    expect(faultsOf({ JWT_ISSUER_FILE: file })).toEqual([
      'JWT_ISSUER_FILE: is the path of a file in another encoding; allowed: a file in UTF-8',
    ]);
  });

  it('refuses a file without a value: it would pass for an absent variable', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'matricula-config-')), 'empty');
    writeFileSync(file, '\n');
    expect(faultsOf({ NODE_ENV: 'production', DATABASE_URL_FILE: file, SECRETS_KEY, JWT_ISSUER_FILE: file })).toEqual([
      'DATABASE_URL_FILE: is the path of a file without a value; allowed: a file with one, or no DATABASE_URL_FILE',
      'JWT_ISSUER_FILE: is the path of a file without a value; allowed: a file with one, or no JWT_ISSUER_FILE',
    ]);
  });

  it('passes over the byte order mark with which editors begin a file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'matricula-config-')), 'roles.json');
    writeFileSync(file, '\ufeff[{"id": "CLERK", "label": "Clerk", "scopes": []}]');
    expect(readConfig({ ROLES_FILE: file }).ROLES).toEqual([{ id: 'CLERK', label: 'Clerk', scopes: [] }]);
  });

  it('refuses one port for both listeners', () => {
    const fault = 'INTERNAL_PORT: is 7070, as PORT is; allowed: another port, or 0';
    expect(faultsOf({ INTERNAL_PORT: '7070' })).toEqual([fault]);
    expect(faultsOf({ INTERNAL_PORT: '7070', INTERNAL_HOST: '0.0.0.0' })).toEqual([fault]);
    expect(faultsOf({ INTERNAL_PORT: '7070', HOST: '10.0.0.1', INTERNAL_HOST: '10.0.0.2' })).toEqual([]);
    expect(faultsOf({ PORT: '0', INTERNAL_PORT: '0' })).toEqual([]);
  });

  it('counts an empty variable as absent', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: '' })).toMatchObject({ DATABASE_URL: undefined, PORT: 7070 });
  });

  it('refuses token lifetimes over ten minutes unless they are allowed', () => {
    expect(faultsOf({ CONFIG_SYSTEM_TOKEN_EXPIRY_SECONDS: '601' })).toEqual([
      'CONFIG_SYSTEM_TOKEN_EXPIRY_SECONDS: is 601; allowed: at most 600, or any lifetime with ALLOW_LONG_TOKENS=true',
    ]);
    expect(readConfig({ CONFIG_TOKEN_EXPIRY_SECONDS: '3600', ALLOW_LONG_TOKENS: 'true' }).systemTokenSeconds).toBe(
      3600,
    );
    expect(
      readConfig({ CONFIG_TOKEN_EXPIRY_SECONDS: '300', CONFIG_SYSTEM_TOKEN_EXPIRY_SECONDS: '120' }).systemTokenSeconds,
    ).toBe(120);
  });

  it('takes only an RSA key of at least 2048 bits in PKCS#8 as the signing key', () => {
    const pem = (bits: number, type: 'pkcs8' | 'pkcs1'): string =>
      generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type, format: 'pem' }).toString();
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    const good = pem(2048, 'pkcs8');
    expect(readConfig({ JWT_PRIVATE_KEY: good }).JWT_PRIVATE_KEY?.reveal()).toBe(good);
    for (const bad of [pem(1024, 'pkcs8'), pem(2048, 'pkcs1'), ec.toString(), 'not a key']) {
      expect(faultsOf({ JWT_PRIVATE_KEY: bad })).toEqual([
        'JWT_PRIVATE_KEY: has a value that cannot be used; allowed: an RSA private key of at least 2048 bits, PKCS#8 PEM',
      ]);
    }
  });

  it('reads lists between commas', () => {
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1', CORS_ORIGINS: 'https://a.example' })).toMatchObject({
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
      CORS_ORIGINS: ['https://a.example'],
    });
    expect(faultsOf({ TRUSTED_PROXIES: '10.0.0.0/40' })).toHaveLength(1);
    expect(faultsOf({ CORS_ORIGINS: 'https://a.example/path' })).toHaveLength(1);
  });

  it('holds what is delivered for longer than an exchange takes', () => {
    expect(readConfig({}).webhookLeaseSeconds).toBe(30);
    expect(readConfig({ WEBHOOK_TIMEOUT_SECONDS: '60' }).webhookLeaseSeconds).toBe(70);
    expect(readConfig({ WEBHOOK_TIMEOUT_SECONDS: '1', WEBHOOK_LEASE_SECONDS: '11' }).webhookLeaseSeconds).toBe(11);
    expect(faultsOf({ WEBHOOK_TIMEOUT_SECONDS: '1.5', WEBHOOK_LEASE_SECONDS: '11' })).toEqual([
      'WEBHOOK_LEASE_SECONDS: is 11; allowed: at least 12, WEBHOOK_TIMEOUT_SECONDS and 10 more',
    ]);
  });

  it('reads the retry schedule, and takes only numbers for it', () => {
    expect(readConfig({}).WEBHOOK_RETRY_SECONDS).toEqual([5, 30, 120, 600, 3_600, 7_200, 21_600, 43_200, 86_400]);
    expect(readConfig({ WEBHOOK_RETRY_SECONDS: '0.5, 2' }).WEBHOOK_RETRY_SECONDS).toEqual([0.5, 2]);
    for (const wrong of ['5,', '-1', '1e3', '5;30']) {
      expect(faultsOf({ WEBHOOK_RETRY_SECONDS: wrong })).toEqual([
        `WEBHOOK_RETRY_SECONDS: is ${JSON.stringify(wrong)}; allowed: numbers from 0 to 2592000 between commas`,
      ]);
    }
  });

  it('takes authorities for subscribers from WEBHOOK_CA_FILE, and only certificates', () => {
    const pem = createTestAuthority().certificate;
    const file = join(mkdtempSync(join(tmpdir(), 'matricula-config-')), 'ca.pem');
    writeFileSync(file, `# ours\n${pem}${pem}`);
    expect(readConfig({ WEBHOOK_CA_FILE: file }).WEBHOOK_CA).toContain(pem);
    for (const wrong of ['no certificate', pem.replace('MII', 'XXX').slice(0, 80)]) {
      expect(faultsOf({ WEBHOOK_CA: wrong })).toHaveLength(1);
    }
  });

  it('takes event types from EVENT_CONFIG_FILE, whose faults it names with their places', () => {
    const types = (environment: Record<string, string>) => readConfig(environment).eventConfiguration.types;
    const example = 'examples/event-configuration.json';
    expect(types({})).toEqual(['birth', 'death', 'marriage']);
    expect(types({ EVENT_TYPES: 'birth, adoption, birth' })).toEqual(['birth', 'adoption']);
    expect(types({ EVENT_TYPES: 'birth,death,marriage,divorce', EVENT_CONFIG_FILE: example })).toHaveLength(4);
    const { eventConfiguration } = readConfig({ EVENT_CONFIG_FILE: example });
    expect(eventConfiguration.typeOf('birth').fields?.get('child.dob')).toMatchObject({ kind: 'DATE' });

    const file = join(mkdtempSync(join(tmpdir(), 'matricula-config-')), 'events.json');
    writeFileSync(file, '{"events": [{"id": "birth", "fields": [{"id": "child.dob", "kind": "DATE", "need": 1}]}]}');
    expect(faultsOf({ EVENT_CONFIG_FILE: file, PORT: 'x' })).toEqual([
      'PORT: is "x"; allowed: a whole number from 0 to 65535',
      'EVENT_CONFIG_FILE: events[0].fields[0].need: is not a known key',
    ]);
    expect(faultsOf({ EVENT_TYPES: 'birth', EVENT_CONFIG_FILE: example })).toEqual([
      'EVENT_TYPES: has no death, which the event configuration describes; allowed: at least what it describes',
      'EVENT_TYPES: has no marriage, which the event configuration describes; allowed: at least what it describes',
    ]);
  });

  it('prints its secrets as [secret]', () => {
    const config = readConfig({ SECRETS_KEY, DATABASE_URL: 'postgres://user:hunter2@host/db' });
    for (const printed of [inspect(config), JSON.stringify(config), String(config.DATABASE_URL)]) {
      expect(printed).not.toContain('hunter2');
      expect(printed).not.toContain(SECRETS_KEY);
    }
  });
});

describe('.env.example', () => {
  it('lists every variable with its unit and default, as the schema has them', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(envExample());
  });
});
