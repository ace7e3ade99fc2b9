import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, importSPKI, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';

import { CLI } from '../../src/audit/audit-entry.js';
import { createApplication } from '../../src/application.js';
import type { Credentials } from '../../src/auth/system-clients/system-clients.js';
import { SystemClients } from '../../src/auth/system-clients/system-clients.js';
import { AccessTokens } from '../../src/auth/token/access-tokens.js';
import type { AdministratorRole } from '../../src/auth/token/administrator-scopes.js';
import { readConfig } from '../../src/config/read-config.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { SECRETS_KEY } from './auth-process.js';

interface Service {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly internalUrl: string;
  close(): Promise<void>;
}

/** The whole service, on both ports. */
async function serve(database: TestDatabase, environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const config = readConfig({
    SECRETS_KEY,
    PORT: '0',
    INTERNAL_PORT: '0',
    DATABASE_POOL_SIZE: '2',
    LOG_LEVEL: 'error',
    ...environment,
  });
  const application = await createApplication(config, database.url);
  await application.listen();
  return {
    app: application.app,
    url: application.publicUrl ?? '',
    internalUrl: application.internalUrl ?? '',
    close: () => application.close(),
  };
}

let database: TestDatabase;
let service: Service;
let client: Credentials;
let administrator: Record<string, string>;
let warnings: jest.SpyInstance;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await serve(database);
  administrator = await authorization('national-system-admin');
  client = await register();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(() => {
  warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const register = (): Promise<Credentials> =>
  service.app.get(SystemClients, { strict: false }).register({ registeredAs: 'HEALTH', by: CLI });

async function authorization(role: AdministratorRole): Promise<Record<string, string>> {
  const tokens = service.app.get(AccessTokens, { strict: false });
  const token = await tokens.administratorToken({ role, subject: 'cli', ttlSeconds: 600, by: CLI }, new Date());
  return { authorization: `Bearer ${token}` };
}

interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

const credentials = ({ clientId, clientSecret } = client): ClientCredentials => ({
  client_id: clientId,
  client_secret: clientSecret.reveal(),
});
const complete = (of = client): Record<string, string> => ({ grant_type: 'client_credentials', ...credentials(of) });
const encoded = (): string => new URLSearchParams(complete()).toString();
const basic = (): string =>
  `Basic ${Buffer.from(`${credentials().client_id}:${credentials().client_secret}`).toString('base64')}`;

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const GRANT = 'grant_type=client_credentials';

const form = (members: Record<string, string>): RequestInit => ({
  headers: FORM,
  body: new URLSearchParams(members).toString(),
});
const post = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { method: 'POST', ...init });
const postJson = (path: string, body: unknown): Promise<Response> =>
  post(path, { headers: JSON_TYPE, body: JSON.stringify(body) });
const administer = (path: string, body: unknown): Promise<Response> =>
  fetch(`${service.internalUrl}${path}`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...administrator },
    body: JSON.stringify(body),
  });

async function keySet(): Promise<ReturnType<typeof createLocalJWKSet>> {
  const answer = await fetch(`${service.url}/.well-known/jwks.json`);
  return createLocalJWKSet((await answer.json()) as Parameters<typeof createLocalJWKSet>[0]);
}

describe('POST /token', () => {
  it.each([
    ['a form', () => post('/token', { body: encoded(), headers: FORM })],
    ['JSON', () => postJson('/token', complete())],
    ['HTTP Basic', () => post('/token', { body: GRANT, headers: { ...FORM, authorization: basic() } })],
    ['the URL alone', () => post(`/token?${encoded()}`)],
    ['the URL with an empty JSON body', () => post(`/token?${encoded()}`, { headers: JSON_TYPE, body: '' })],
    [
      'the URL and JSON',
      () =>
        post(`/token?${encoded()}`, {
          headers: JSON_TYPE,
          body: JSON.stringify(complete()),
        }),
    ],
    [
      'a form beside a bearer token',
      () =>
        post('/token', {
          body: encoded(),
          headers: { ...FORM, authorization: 'Bearer x' },
        }),
    ],
  ])('answers a token to parameters in %s', async (_, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    const body = (await answer.json()) as { access_token: string };
    expect(body).toEqual({ access_token: expect.any(String) as string, token_type: 'Bearer' });
    const { payload } = await jwtVerify(body.access_token, await keySet());
    expect(payload).toMatchObject({ sub: credentials().client_id, scope: ['health'], userType: 'system' });
  });

  it('warns of parameters in the URL, naming them and not their values', async () => {
    const answer = await post(`/token?${encoded()}`);
    expect(answer.headers.get('deprecation')).toBe('@1782864000');
    const brought = 'brought grant_type, client_id, client_secret in the URL of a token request, not in its body';
    expect(warnings.mock.calls).toEqual([[`deprecated: client ${client.clientId} at 127.0.0.1 ${brought}`]]);
    warnings.mockClear();
    // An id that proved nothing may be anything, a secret in the wrong place among others.
    await post(`/token?${new URLSearchParams({ ...complete(), client_secret: 'wrong' }).toString()}`);
    expect(warnings.mock.calls).toEqual([[`deprecated: somebody at 127.0.0.1 ${brought}`]]);
    warnings.mockClear();
    expect((await postJson('/token?unknown=x', complete())).headers.get('deprecation')).toBeNull();
    expect(warnings.mock.calls).toEqual([]);
  });

  it.each([
    ['no grant', {}, 'unsupported_grant_type', 'grant_type must be client_credentials'],
    ['an empty grant', { grant_type: '' }, 'unsupported_grant_type', 'grant_type must be client_credentials'],
    [
      'another grant, whatever else is wrong',
      { grant_type: 'password', client_id: 1 },
      'unsupported_grant_type',
      'grant_type must be client_credentials',
    ],
    [
      'no credentials',
      { grant_type: 'client_credentials' },
      'invalid_request',
      'client_id and client_secret must be given',
    ],
    ['an object for a grant', { grant_type: {} }, 'invalid_request', 'grant_type must be a string'],
  ])('refuses %s', async (_, body, error, error_description) => {
    const answer = await postJson('/token', body);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(await answer.json()).toEqual({ error, error_description, error_uri: `${service.url}/docs` });
  });

  it('speaks RFC 6749 of a body that cannot be read', async () => {
    const answer = await post('/token', { headers: JSON_TYPE, body: '{"grant_type"' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(await answer.json()).toEqual({
      error: 'invalid_request',
      error_description: 'body: is not valid JSON',
      error_uri: `${service.url}/docs`,
    });
  });

  it('answers the same bytes whatever is wrong about the credentials', async () => {
    const inactive = await (await administer('/registerSystemClient', { scope: 'WEBHOOK' })).json();
    await administer('/deactivateSystemClient', { client_id: (inactive as { client_id: string }).client_id });
    const wrong = [
      { ...complete(), client_secret: 'wrong' },
      { ...complete(), client_id: 'c5f0b4a0-2f0e-4a52-9d5e-0a3a5f1c7b11' },
      { ...complete(), client_id: 'no uuid' },
      { grant_type: 'client_credentials', ...(inactive as object), sha_secret: undefined },
    ];
    const answers = await Promise.all(wrong.map((body) => postJson('/token', body)));
    const seen = await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]));
    const body = `{"error":"invalid_client","error_description":"client_id or client_secret is wrong","error_uri":"${service.url}/docs"}`;
    expect(seen).toEqual(wrong.map(() => [401, body]));
    expect(answers.map((answer) => answer.headers.get('www-authenticate'))).toEqual(wrong.map(() => null));
  });

  it('narrows a token to the scopes that are asked for, and says so', async () => {
    const scopes = ['recordsearch', 'webhook', 'type=record.search&event=birth,death'];
    const several = await service.app.get(SystemClients, { strict: false }).register({ scopes, by: CLI });
    const asked = await Promise.all(
      [
        () => postJson('/token', { ...complete(several), scope: 'webhook recordsearch' }),
        () => post('/token?scope=search%5Bevent%3Ddeath%7Cbirth%5D', { ...form(complete(several)) }),
        () => post('/token', form({ ...complete(several), scope: '' })),
      ].map(async (ask) => (await ask()).json() as Promise<{ access_token: string }>),
    );
    const held = await Promise.all(
      asked.map(async (answer) => (await jwtVerify(answer.access_token, await keySet())).payload.scope),
    );
    const token = expect.any(String) as string;
    expect(asked).toEqual([
      { access_token: token, token_type: 'Bearer', scope: 'recordsearch webhook' },
      { access_token: token, token_type: 'Bearer', scope: 'type=record.search&event=birth,death' },
      { access_token: token, token_type: 'Bearer' },
    ]);
    expect(held).toEqual([['recordsearch', 'webhook'], ['type=record.search&event=birth,death'], scopes]);
  });

  it.each(['nationalId', 'health nationalId', ' '])(
    'refuses the scope %j, which the client does not hold',
    async (scope) => {
      const answer = await postJson('/token', { ...complete(), scope });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        {
          error: 'invalid_scope',
          error_description: 'scope must name scopes of the client alone',
          error_uri: `${service.url}/docs`,
        },
      ]);
      // Whoever has not proved to be the client does not learn what it holds.
      const wrong = await postJson('/token', { ...complete(), client_secret: 'wrong', scope });
      expect(await wrong.json()).toMatchObject({ error: 'invalid_client' });
    },
  );

  it.each(['/token', '/authenticateSystemClient'])('reads 64 KiB and no more at %s', async (path) => {
    const ask = async (bytes: number): Promise<readonly [number, unknown]> => {
      const answer = await postJson(path, { padding: 'x'.repeat(bytes - JSON.stringify({ padding: '' }).length) });
      return [answer.status, await answer.json()];
    };
    expect((await ask(65_536))[0]).toBe(400);
    expect(await ask(65_537)).toEqual([
      413,
      {
        message: 'Request body is too large',
        code: 'PAYLOAD_TOO_LARGE',
        issues: [{ message: 'body: must have at most 65536 bytes' }],
      },
    ]);
  });

  it('challenges a client that used HTTP Basic', async () => {
    const answer = await post('/token', { body: GRANT, headers: { ...FORM, authorization: 'Basic YTpi' } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="token", charset="UTF-8"');
  });

  it('makes a pair wait after ten failures on either route, even with the right secret, and no other pair', async () => {
    const [blocked, other] = [await register(), await register()];
    const wrong = { ...complete(blocked), client_secret: 'wrong' };
    for (let failures = 0; failures < 10; failures += 2) {
      expect((await postJson('/token', wrong)).status).toBe(401);
      expect((await postJson('/authenticateSystemClient', { ...credentials(blocked), client_secret: '' })).status).toBe(
        401,
      );
      expect((await postJson('/token', { ...wrong, client_secret: '' })).status).toBe(400);
    }
    for (const ask of [
      () => postJson('/token', complete(blocked)),
      () => postJson('/authenticateSystemClient', credentials(blocked)),
    ]) {
      const answer = await ask();
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-6]?\d$/)]);
      expect(await answer.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    }
    expect((await postJson('/token', complete(other))).status).toBe(200);
  });

  it('checks ten wrong secrets of a client that come at once, and every right one', async () => {
    const [attacked, other] = [await register(), await register()];
    const statusesOf = async (bodies: readonly object[]): Promise<Record<number, number>> => {
      const counts: Record<number, number> = {};
      for (const { status } of await Promise.all(bodies.map((body) => postJson('/token', body)))) {
        counts[status] = (counts[status] ?? 0) + 1;
      }
      return counts;
    };
    const wrong = { ...complete(attacked), client_secret: 'wrong' };
    expect(await statusesOf(Array.from({ length: 300 }, () => wrong))).toEqual({ 401: 10, 429: 290 });
    expect(await statusesOf(Array.from({ length: 50 }, () => complete(other)))).toEqual({ 200: 50 });
  });

  it('adds expires_in and scope where TOKEN_RESPONSE says so', async () => {
    const full = await serve(database, { TOKEN_RESPONSE: 'oauth', CONFIG_SYSTEM_TOKEN_EXPIRY_SECONDS: '300' });
    try {
      const answer = await fetch(`${full.url}/token`, { method: 'POST', headers: FORM, body: encoded() });
      expect(await answer.json()).toEqual({
        access_token: expect.any(String) as string,
        token_type: 'Bearer',
        expires_in: 300,
        scope: 'health',
      });
    } finally {
      await full.close();
    }
  });
});

describe('POST /authenticateSystemClient', () => {
  it('answers a token', async () => {
    const answer = await postJson('/authenticateSystemClient', credentials());
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const body = (await answer.json()) as { token: string };
    expect(body).toEqual({ token: expect.any(String) as string });
    await jwtVerify(body.token, await keySet());
  });

  it('answers the error object to wrong credentials, and counts them', async () => {
    const answer = await postJson('/authenticateSystemClient', { ...credentials(), client_secret: 'wrong' });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ message: 'client_id or client_secret is wrong', code: 'UNAUTHORIZED' });
  });

  it.each([{}, { client_id: 'a' }, { client_id: 1, client_secret: 'b' }])('refuses %j', async (body) => {
    expect((await postJson('/authenticateSystemClient', body)).status).toBe(400);
  });
});

describe('administration of clients', () => {
  it('asks for the administrator that A-7 names, on the internal port alone', async () => {
    const { authorization: bearer = '' } = await authorization('system-admin');
    const { token } = (await (await postJson('/authenticateSystemClient', credentials())).json()) as { token: string };
    const id = { client_id: (await register()).clientId };
    const statusOf = async (base: string, path: string, body: object, header: string): Promise<number> => {
      const headers = { ...JSON_TYPE, ...(header !== '' && { authorization: header }) };
      return (await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    for (const [path, body, bySystemAdministrator] of [
      ['/registerSystemClient', { scope: 'HEALTH' }, 403],
      ['/deactivateSystemClient', id, 200],
      ['/reactivateSystemClient', id, 200],
    ] as const) {
      expect({
        path,
        anybody: await statusOf(service.internalUrl, path, body, ''),
        aClient: await statusOf(service.internalUrl, path, body, `Bearer ${token}`),
        aSystemAdministrator: await statusOf(service.internalUrl, path, body, bearer),
        outside: await statusOf(service.url, path, body, bearer),
      }).toEqual({ path, anybody: 401, aClient: 403, aSystemAdministrator: bySystemAdministrator, outside: 404 });
    }
  });

  it.each(['NATIONAL_ID', 'HEALTH', 'EXTERNAL_VALIDATION', 'RECORD_SEARCH', 'WEBHOOK'])(
    'registers %s',
    async (scope) => {
      const answer = await administer('/registerSystemClient', { scope });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
      const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
      expect(await answer.json()).toEqual({ client_id: uuid, client_secret: uuid, sha_secret: uuid });
    },
  );

  it.each([
    {},
    { scope: 'DEMO' },
    { scope: 'health' },
    { scope: ['HEALTH'] },
    { scope: 'constructor' },
    { scope: 'HEALTH', name: '' },
    { scope: 'HEALTH', name: ' ' },
    { scope: 'HEALTH', name: 5 },
    { scope: 'HEALTH', name: null },
    { scope: 'HEALTH', type: 'x' },
  ])('does not register %j', async (body) => {
    expect((await administer('/registerSystemClient', body)).status).toBe(400);
  });

  it('deactivates and reactivates, as often as it is asked to, with an empty answer', async () => {
    const registered = (await (await administer('/registerSystemClient', { scope: 'HEALTH' })).json()) as object;
    const token = (): Promise<Response> => postJson('/token', { grant_type: 'client_credentials', ...registered });
    for (const [path, status] of [
      ['/deactivateSystemClient', 401],
      ['/deactivateSystemClient', 401],
      ['/reactivateSystemClient', 200],
      ['/reactivateSystemClient', 200],
    ] as const) {
      const answer = await administer(path, {
        client_id: (registered as { client_id: string }).client_id.toUpperCase(),
      });
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect((await token()).status).toBe(status);
    }
  });

  it('answers 404 for an unknown client, and 400 for what is no UUID', async () => {
    for (const path of ['/deactivateSystemClient', '/reactivateSystemClient']) {
      const unknown = await administer(path, { client_id: 'c5f0b4a0-2f0e-4a52-9d5e-0a3a5f1c7b11' });
      expect([unknown.status, await unknown.json()]).toEqual([
        404,
        { message: 'System client not found with client_id: c5f0b4a0-2f0e-4a52-9d5e-0a3a5f1c7b11', code: 'NOT_FOUND' },
      ]);
      for (const client_id of ['x', '', null, 5, undefined]) {
        expect((await administer(path, { client_id })).status).toBe(400);
      }
    }
  });
});

describe('GET /.well-known', () => {
  it('is the PEM of the key that verifies our tokens', async () => {
    const answer = await fetch(`${service.url}/.well-known`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const pem = await answer.text();
    expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    const { token } = (await (await postJson('/authenticateSystemClient', credentials())).json()) as { token: string };
    await jwtVerify(token, await importSPKI(pem, 'RS256'));
  });

  it('publishes the keys as a JWKS, without anything private', async () => {
    const body = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: object[] };
    expect(body.keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
    expect(body.keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' });
  });

  it('names PUBLIC_URL as issuer where it is set', async () => {
    const named = await serve(database, { PUBLIC_URL: 'https://register.example.org/' });
    try {
      expect(await (await fetch(`${named.url}/.well-known/oauth-authorization-server`)).json()).toEqual({
        issuer: 'https://register.example.org',
        token_endpoint: 'https://register.example.org/auth/token',
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        grant_types_supported: ['client_credentials'],
        response_types_supported: [],
        jwks_uri: 'https://register.example.org/.well-known/jwks.json',
        service_documentation: 'https://register.example.org/docs',
      });
    } finally {
      await named.close();
    }
  });
});

const PUBLIC_URL = 'https://register.example.org';

describe('OAuth libraries', () => {
  let named: Service;
  beforeAll(async () => {
    named = await serve(database, { PUBLIC_URL });
  });
  afterAll(() => named.close());

  /** Stands for the proxy that serves `PUBLIC_URL`. */
  const proxied = (url: string, init: object): Promise<Response> => fetch(url.replace(PUBLIC_URL, named.url), init);

  it.each([
    ['client_secret_basic', () => oauth.ClientSecretBasic(credentials().client_secret)],
    ['client_secret_post', () => oauth.ClientSecretPost(credentials().client_secret)],
  ])('oauth4webapi finds the endpoint and obtains a token by %s', async (_, authentication) => {
    const fetching = { [oauth.customFetch]: proxied };
    const issuer = new URL(PUBLIC_URL);
    const discovery = await oauth.discoveryRequest(issuer, { ...fetching, algorithm: 'oauth2' });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    const asking = { client_id: credentials().client_id };
    const answer = await oauth.clientCredentialsGrantRequest(server, asking, authentication(), {}, fetching);
    const { access_token } = await oauth.processClientCredentialsResponse(server, asking, answer);
    const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''), { [customFetch]: proxied });
    await jwtVerify(access_token, keys, { issuer: 'opencrvs:auth-service', audience: 'opencrvs:events-user' });
  });

  it('openid-client finds the endpoint and obtains a token', async () => {
    const { client_id, client_secret } = credentials();
    const server = await openid.discovery(new URL(PUBLIC_URL), client_id, client_secret, undefined, {
      algorithm: 'oauth2',
      [openid.customFetch]: proxied,
    });
    const { access_token, token_type } = await openid.clientCredentialsGrant(server);
    expect(token_type).toBe('bearer');
    await jwtVerify(access_token, await keySet());
  });
});
