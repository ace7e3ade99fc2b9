import { Logger } from '@nestjs/common';
import { jwtVerify } from 'jose';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { ClientSecretHash } from '../../src/auth/secrets/client-secret-hash.js';
import { type Credentials, SystemClients } from '../../src/auth/clients/system-clients.js';
import { KIB } from '../../src/kernel/domain/bytes.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { asking, FORM, form, GRANT, JSON_TYPE, serve, type Service } from '../support/auth-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let service: Service;
let client: Credentials;
let warnings: jest.SpyInstance;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await serve(database);
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

const { register, credentials, complete, encoded, basic, post, postJson, administer, keySet } = asking(() => ({
  service,
  client,
}));

describe('POST /token', () => {
  it.each([
    ['a form', () => post('/token', { body: encoded(), headers: FORM })],
    ['JSON', () => postJson('/token', complete())],
    ['HTTP Basic', () => post('/token', { body: GRANT, headers: { ...FORM, authorization: basic() } })],
    ['the URL alone', () => post(`/token?${encoded()}`)],
    ['the URL with an empty JSON body', () => post(`/token?${encoded()}`, { headers: JSON_TYPE, body: '' })],
    ['the URL with the JSON body null', () => post(`/token?${encoded()}`, { headers: JSON_TYPE, body: 'null' })],
    ['the URL with the JSON body ""', () => post(`/token?${encoded()}`, { headers: JSON_TYPE, body: '""' })],
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
    expect(body).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'health',
    });
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
    const answered = { access_token: token, token_type: 'Bearer', expires_in: 600 };
    expect(asked).toEqual([
      { ...answered, scope: 'recordsearch webhook' },
      { ...answered, scope: 'type=record.search&event=birth,death' },
      { ...answered, scope: scopes.join(' ') },
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
    expect((await ask(64 * KIB))[0]).toBe(400);
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

  it('counts the failures of a client as one, however its id is written', async () => {
    const { clientId, clientSecret } = await register();
    const statusOf = async (client_id: string, client_secret: string): Promise<number> =>
      (await postJson('/token', { grant_type: 'client_credentials', client_id, client_secret })).status;
    for (let at = 1; at <= 10; at += 1) expect(await statusOf(clientId.toUpperCase(), 'wrong')).toBe(401);
    expect(await statusOf(clientId, clientSecret.reveal())).toBe(429);
  });

  it('answers ten wrong secrets of a client that come at once, and ten right ones', async () => {
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
    expect(await statusesOf(Array.from({ length: 10 }, () => complete(other)))).toEqual({ 200: 10 });
  });

  it('leaves expires_in out where TOKEN_RESPONSE says so, and scope unless it is asked for', async () => {
    const minimal = await serve(database, { TOKEN_RESPONSE: 'minimal' });
    try {
      const ask = async (asked: object): Promise<unknown> =>
        (await fetch(`${minimal.url}/token`, { method: 'POST', ...form({ ...complete(), ...asked }) })).json();
      const least = { access_token: expect.any(String) as string, token_type: 'Bearer' };
      expect([await ask({}), await ask({ scope: 'health' })]).toEqual([least, { ...least, scope: 'health' }]);
    } finally {
      await minimal.close();
    }
  });

  it('reads Basic credentials as a form and as they are written, and counts both readings as one attempt', async () => {
    const { clientId } = await register();
    const secret = 'a+b%41';
    const hash = await service.app.get(ClientSecretHash, { strict: false }).of(secret);
    await database.database.query(sql`update system_client set secret_hash = ${hash} where client_id = ${clientId}`);
    const ask = async (written: string): Promise<number> => {
      const authorization = `Basic ${Buffer.from(`${clientId}:${written}`).toString('base64')}`;
      return (await post('/token', { body: GRANT, headers: { ...FORM, authorization } })).status;
    };
    expect([await ask(secret), await ask(encodeURIComponent(secret)), await ask('a%2Bb%2541')]).toEqual([
      200, 200, 200,
    ]);
    for (let at = 1; at <= 10; at += 1) expect(await ask(at % 2 === 0 ? 'a+b%' : 'a+b%42')).toBe(401);
    expect(await ask(secret)).toBe(429);
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
