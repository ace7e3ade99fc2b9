import { createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { soundKeys } from '../../src/auth/clients/client-keys.js';
import { type Credentials, SystemClients } from '../../src/auth/clients/system-clients.js';
import { ClientAuthentication } from '../../src/auth/clients/client-authentication.js';
import { ClientStatus } from '../../src/auth/clients/client-status.js';
import { TokenParameters } from '../../src/auth/tokens/token-parameters.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { form, serve, type Service } from '../support/auth-service.js';
import { assertionOf, assertionParameters, type SigningPair, signingPair } from '../support/client-assertion.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const PUBLIC_URL = 'https://register.example.org';

let database: TestDatabase;
let one: Service;
let other: Service;
let pair: SigningPair;
beforeAll(async () => {
  database = await createTestDatabase();
  one = await serve(database, { PUBLIC_URL });
  other = await serve(database, { PUBLIC_URL });
  pair = await signingPair();
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});

const register = (...keys: readonly object[]): Promise<Credentials> =>
  one.app.get(SystemClients, { strict: false }).register({ registeredAs: 'HEALTH', by: CLI, jwks: { keys } });
const setKeys = async ({ clientId }: Credentials, ...keys: readonly object[]): Promise<boolean> =>
  one.app.get(SystemClients, { strict: false }).setKeys(clientId, await soundKeys({ keys }, ''), CLI);
const ask = ({ url }: Service, parameters: Record<string, string>): Promise<Response> =>
  fetch(`${url}/auth/token`, { method: 'POST', ...form(parameters) });
const statusOf = async (service: Service, assertion: string): Promise<number> =>
  (await ask(service, assertionParameters(assertion))).status;
const sign = ({ clientId }: Credentials, claims?: object, by: SigningPair = pair, header?: object): Promise<string> =>
  assertionOf(clientId, PUBLIC_URL, by, claims, header);
const seconds = (): number => Math.floor(Date.now() / 1_000);

describe('an assertion', () => {
  it('gets the token that a secret gets, once, in whichever process', async () => {
    const client = await register(pair.jwk);
    const assertion = await sign(client);
    const answer = await ask(one, assertionParameters(assertion));
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { access_token: expect.any(String) as string, token_type: 'Bearer', expires_in: 600, scope: 'health' },
    ]);
    expect([await statusOf(one, assertion), await statusOf(other, assertion)]).toEqual([401, 401]);
    const several = await Promise.all(Array.from({ length: 8 }, () => sign(client)));
    const statuses = await Promise.all(
      several.map((each) => Promise.all([statusOf(one, each), statusOf(other, each)])),
    );
    expect(statuses.map((both) => [...both].sort())).toEqual(several.map(() => [200, 401]));
  });

  it('is good once, and until it expires, by one clock whatever those of the processes say', async () => {
    const client = await register(pair.jwk);
    const authenticated = async (service: Service, jws: string, aheadSeconds: number): Promise<boolean> => {
      const parameters = new TokenParameters({
        query: new URLSearchParams(),
        body: new URLSearchParams(assertionParameters(jws)),
        authorizations: [],
      });
      const now = new Date(Date.now() + aheadSeconds * 1_000);
      const authentication = service.app.get(ClientAuthentication, { strict: false });
      return 'clientId' in (await authentication.ofRequest(parameters, '127.0.0.1', now));
    };
    const spent = await sign(client, { jti: 'spent' });
    expect(await authenticated(one, spent, 0)).toBe(true);
    // A slow clock would take it again after its row was removed.
    await rows(
      sql`update spent_assertion set expires_at = now() - interval '9 minutes' where client_id = ${client.clientId}`,
    );
    await authenticated(one, await sign(client), 0);
    expect(await authenticated(other, spent, -20)).toBe(false);
    const expired = await sign(client, { iat: seconds() - 61, exp: seconds() - 1 });
    expect(await authenticated(other, expired, -60)).toBe(false);
    expect(await authenticated(other, await sign(client), 50)).toBe(true);
  });

  it('is another one if its jti differs in nothing but the case of a letter', async () => {
    const client = await register(pair.jwk);
    for (const jti of ['one', 'ONE']) expect(await statusOf(one, await sign(client, { jti }))).toBe(200);
    expect(await statusOf(one, await sign(client, { jti: 'one' }))).toBe(401);
  });

  it('is of a client that is active as the database has it, whatever a process has heard', async () => {
    const client = await register(pair.jwk);
    const become = (status: string) =>
      database.database.query(sql`update system_client set status = ${status} where client_id = ${client.clientId}`);
    const heard = one.app.get(ClientStatus, { strict: false });
    await eventually('it is heard of', () => Promise.resolve(heard.followed(client.clientId) !== undefined));
    const known = heard.followed(client.clientId);
    const following = jest.spyOn(heard, 'followed').mockReturnValue(known);
    await become('deactivated');
    const assertion = await sign(client);
    expect(await statusOf(one, assertion)).toBe(401);
    following.mockRestore();
    // It is not used up: a client that is active again may send it again.
    await become('active');
    expect([await statusOf(one, assertion), await statusOf(one, assertion)]).toEqual([200, 401]);
  });

  it('is refused in the same bytes whatever is wrong with it', async () => {
    const client = await register(pair.jwk);
    const [another, deactivated, keyless] = [await register(pair.jwk), await register(pair.jwk), await register()];
    const others = await signingPair('b');
    const stranger = await register(others.jwk);
    await one.app.get(SystemClients, { strict: false }).setStatus(deactivated.clientId, 'deactivated', CLI);
    const claims = { iss: client.clientId, sub: client.clientId, aud: PUBLIC_URL, jti: 'j', exp: seconds() + 60 };
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const publicKey = createSecretKey(Buffer.from(JSON.stringify(pair.jwk)));
    const sound = await sign(client);
    const wrong: readonly string[] = [
      await sign(client, { iat: seconds() - 120, exp: seconds() - 60 }),
      await sign(client, { exp: seconds() + 3_600 }),
      await sign(client, { aud: 'https://elsewhere.example.org' }),
      await sign(client, { aud: [PUBLIC_URL, 'https://elsewhere.example.org'] }),
      await sign(client, { jti: 'x'.repeat(257) }),
      `${part({ alg: 'none' })}.${part(claims)}.`,
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'a' }).sign(publicKey),
      await sign(stranger, { iss: another.clientId, sub: another.clientId }, others),
      await sign(another, { iss: stranger.clientId }),
      await sign(another, {}, pair, { kid: 'unknown' }),
      await sign(another, {}, others, { kid: 'a' }),
      await sign(another, {}, others, { jwk: others.jwk, kid: undefined }),
      await sign(deactivated),
      await sign(keyless),
      await sign({ ...client, clientId: 'c5f0b4a0-2f0e-4a52-9d5e-0a3a5f1c7b11' as Credentials['clientId'] }),
      `${sound.slice(0, -4)}AAAA`,
      'x'.repeat(60_000),
      'a.b.c',
    ];
    const answers = await Promise.all(wrong.map((assertion) => ask(one, assertionParameters(assertion))));
    const body = `{"error":"invalid_client","error_description":"client_assertion is not accepted","error_uri":"${PUBLIC_URL}/docs"}`;
    expect(await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]))).toEqual(
      wrong.map(() => [401, body]),
    );
    expect(await statusOf(one, sound)).toBe(200);
  });

  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['a secret', { client_secret: 'x' }, {}, 'a client authenticates in one way'],
    ['HTTP Basic', {}, { authorization: 'Basic YTpi' }, 'a client authenticates in one way'],
    [
      'no type',
      { client_assertion_type: '' },
      {},
      'client_assertion_type must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    ],
    [
      'another type',
      { client_assertion_type: 'x' },
      {},
      'client_assertion_type must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    ],
    ['no assertion', { client_assertion: '' }, {}, 'client_assertion must be given'],
  ])('is an invalid request beside %s', async (_, more, headers, error_description) => {
    const answer = await fetch(`${one.url}/auth/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...assertionParameters('a.b.c'), ...more }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description, error_uri: `${PUBLIC_URL}/docs` },
    ]);
  });

  it('is waited for after ten failures in a minute, as a secret is', async () => {
    const client = await register(pair.jwk);
    const stranger = await signingPair();
    for (let at = 0; at < 10; at += 1) expect(await statusOf(one, await sign(client, {}, stranger))).toBe(401);
    expect(await statusOf(one, await sign(client))).toBe(429);
  });

  it('is never for a service whose PUBLIC_URL is not set', async () => {
    const unnamed = await serve(database);
    try {
      const client = await register(pair.jwk);
      const answer = await ask(unnamed, assertionParameters(await assertionOf(client.clientId, unnamed.url, pair)));
      expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'invalid_client' }]);
      expect(await statusOf(one, await sign(client))).toBe(200);
    } finally {
      await unnamed.close();
    }
  });
});

describe('the keys of a client', () => {
  it('change without a gap: the old and the new one are good until the old one is gone, in every process', async () => {
    const next = await signingPair('b');
    const client = await register(pair.jwk);
    expect(await statusOf(other, await sign(client))).toBe(200);
    await setKeys(client, pair.jwk, next.jwk);
    for (const service of [one, other]) {
      expect(await statusOf(service, await sign(client))).toBe(200);
      expect(await statusOf(service, await sign(client, {}, next))).toBe(200);
    }
    await setKeys(client, next.jwk);
    expect(await statusOf(one, await sign(client))).toBe(401);
    await eventually(
      'the old key is refused elsewhere',
      async () => (await statusOf(other, await sign(client))) === 401,
    );
    expect(await statusOf(other, await sign(client, {}, next))).toBe(200);
    await setKeys(client);
    expect(await statusOf(one, await sign(client, {}, next))).toBe(401);
  });

  it('are audited by their ids, and stored only if all of them are public', async () => {
    const client = await register(pair.jwk);
    await expect(setKeys(client, pair.jwk, pair.privateKey.export({ format: 'jwk' }))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ message: expect.stringMatching(/^keys\[1\]: has the private part of a key/) as string }],
    });
    await setKeys(client, pair.jwk, (await signingPair('b')).jwk);
    expect(
      await rows(sql`select operation, request_data as request from audit_log
                      where response_summary ->> 'id' = ${client.clientId}
                         or response_summary ->> 'clientId' = ${client.clientId} order by created_at`),
    ).toEqual([
      {
        operation: 'integrations.create',
        request: { name: 'HEALTH', scopes: ['health'], kids: ['a'] },
      },
      { operation: 'integrations.setKeys', request: { id: client.clientId, kids: ['a', 'b'] } },
    ]);
    expect(await one.app.get(SystemClients, { strict: false }).setKeys(NOBODY, [], CLI)).toBe(false);
  });
});

describe('a client that was deleted', () => {
  it('gets no keys any more', async () => {
    const { clientId } = await register();
    await rows(sql`update system_client set status = 'deleted' where client_id = ${clientId}`);
    const keys = await soundKeys({ keys: [pair.jwk] }, '');
    expect(await one.app.get(SystemClients, { strict: false }).setKeys(clientId, keys, CLI)).toBe(false);
    expect(await rows(sql`select jwks from system_client where client_id = ${clientId}`)).toEqual([{ jwks: null }]);
  });
});

const NOBODY = 'c5f0b4a0-2f0e-4a52-9d5e-0a3a5f1c7b11' as Credentials['clientId'];
const rows = <Row>(statement: ReturnType<typeof sql>): Promise<Row[]> => database.database.query<Row>(statement);
