import { randomUUID } from 'node:crypto';

import type { CryptoKey } from 'jose';
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { signingPair } from '../support/client-assertion.js';
import { freePort } from '../support/free-port.js';
import { OpenApiCheck } from '../support/openapi-check.js';

let service: RunningApplication;
let client: { readonly clientId: string; readonly clientSecret: string };
/** With `client_id`, and the keys that it signs with, one for each algorithm. */
let signing: { readonly client_id: string; readonly keys: ReadonlyMap<string, CryptoKey> };
let check: OpenApiCheck;
beforeAll(async () => {
  const port = await freePort();
  service = await startApplication({
    env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, SECRET_OVERLAP_SECONDS: '600' },
  });
  client = await service.registerClient('HEALTH');
  signing = await registerSigning();
  const { body } = await service.request('GET', '/openapi.json', { listener: 'internal' });
  check = OpenApiCheck.of(body);
});
afterAll(() => service.stop());

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'Ed25519'];

/** A client with a key for each of these algorithms, the most that it may have. */
async function registerSigning(): Promise<typeof signing> {
  const pairs = await Promise.all(ALGORITHMS.map((alg) => generateKeyPair(alg, { extractable: true })));
  const keys = await Promise.all(
    pairs.map(async ({ publicKey }, at) => ({ ...(await exportJWK(publicKey)), kid: ALGORITHMS[at] })),
  );
  const token = await service.issuer.token();
  const body = { scope: 'HEALTH', jwks: { keys } };
  const { json } = await service.request('POST', '/registerSystemClient', { listener: 'internal', token, body });
  const { client_id } = json as { client_id: string };
  return { client_id, keys: new Map(pairs.map(({ privateKey }, at) => [String(ALGORITHMS[at]), privateKey])) };
}

function keyFor(alg: string): { key: CryptoKey; kid: string } {
  const key = signing.keys.get(alg);
  if (key === undefined) throw new Error(`there is no key for ${alg}`);
  return { key, kid: alg };
}

/** Both libraries mark what loopback needs as deprecated, so that nobody uses it elsewhere: it is taken by its name. */
const INSECURE = Reflect.get<typeof oauth, 'allowInsecureRequests'>(oauth, 'allowInsecureRequests');
const allowInsecure = Reflect.get<typeof openid, 'allowInsecureRequests'>(openid, 'allowInsecureRequests');

/** What a library fetches, held to the document as every other answer is (G-9). */
async function checkedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options);
  check.check({
    method: 'method' in options ? String(options.method) : 'GET',
    path: new URL(url).pathname,
    status: response.status,
    contentType: response.headers.get('content-type') ?? undefined,
    body: await response.clone().text(),
  });
  return response;
}

const SEARCH = { query: { clauses: [{ eventType: 'birth' }] } };
const NOTHING = { results: [], total: 0 };
const searchWith = async (token: string): Promise<unknown> =>
  (await service.request('POST', '/events/search', { token, body: SEARCH })).json;

describe('a token is got by, and is good for a search with,', () => {
  it.each([
    ['client_secret_basic', (secret: string) => oauth.ClientSecretBasic(secret)],
    ['client_secret_post', (secret: string) => oauth.ClientSecretPost(secret)],
  ])('oauth4webapi, from the metadata on, with %s', async (_, authentication) => {
    const issuer = new URL(service.publicUrl);
    const options = { [INSECURE]: true, [oauth.customFetch]: checkedFetch };
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
    );
    const { clientId: client_id, clientSecret } = client;
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      { client_id },
      authentication(clientSecret),
      {},
      options,
    );
    const granted = await oauth.processClientCredentialsResponse(server, { client_id }, response);
    expect(granted).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'bearer',
      expires_in: 600,
      scope: 'health',
    });
    const found = await oauth.protectedResourceRequest(
      granted.access_token,
      'POST',
      new URL('/events/search', issuer),
      new Headers({ 'content-type': 'application/json' }),
      JSON.stringify(SEARCH),
      options,
    );
    expect(await found.json()).toEqual(NOTHING);
  });

  it('openid-client, told that it speaks to an OAuth server', async () => {
    const configuration = await openid.discovery(
      new URL(service.publicUrl),
      client.clientId,
      client.clientSecret,
      undefined,
      { algorithm: 'oauth2', execute: [allowInsecure], [openid.customFetch]: checkedFetch },
    );
    const granted = await openid.clientCredentialsGrant(configuration);
    const found = await openid.fetchProtectedResource(
      configuration,
      granted.access_token,
      new URL('/events/search', service.publicUrl),
      'POST',
      JSON.stringify(SEARCH),
      new Headers({ 'content-type': 'application/json' }),
    );
    expect([granted.token_type, await found.json()]).toEqual(['bearer', NOTHING]);
  });

  it.each(ALGORITHMS)('oauth4webapi, from the metadata on, with private_key_jwt by %s', async (alg) => {
    const issuer = new URL(service.publicUrl);
    const options = { [INSECURE]: true, [oauth.customFetch]: checkedFetch };
    const discovery = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    expect(server.token_endpoint_auth_methods_supported).toContain('private_key_jwt');
    expect(server.token_endpoint_auth_signing_alg_values_supported).toContain(alg);
    const authentication = oauth.PrivateKeyJwt(keyFor(alg));
    const asking = { client_id: signing.client_id };
    const response = await oauth.clientCredentialsGrantRequest(server, asking, authentication, {}, options);
    const { access_token } = await oauth.processClientCredentialsResponse(server, asking, response);
    expect(await searchWith(access_token)).toEqual(NOTHING);
  });

  it('openid-client, which introspects and revokes it, with private_key_jwt at each endpoint', async () => {
    const configuration = await openid.discovery(
      new URL(service.publicUrl),
      signing.client_id,
      undefined,
      openid.PrivateKeyJwt(keyFor('ES256')),
      { algorithm: 'oauth2', execute: [allowInsecure], [openid.customFetch]: checkedFetch },
    );
    const { access_token } = await openid.clientCredentialsGrant(configuration);
    expect(await searchWith(access_token)).toEqual(NOTHING);
    const { active, client_id } = await openid.tokenIntrospection(configuration, access_token);
    await openid.tokenRevocation(configuration, access_token);
    const revoked = await openid.tokenIntrospection(configuration, access_token);
    expect([active, client_id, revoked]).toEqual([true, signing.client_id, { active: false }]);
    expect((await service.request('POST', '/events/search', { token: access_token, body: SEARCH })).status).toBe(401);
  });

  it('each of them, with the secret that a client had before as well as with the new one', async () => {
    const { clientId, clientSecret: first } = await service.registerClient('HEALTH');
    const refresh = async (): Promise<string> => {
      const token = await service.issuer.token();
      const { json } = await service.request('POST', `/integrations/${clientId}/refresh-secret`, { token });
      return (json as { clientSecret: string }).clientSecret;
    };
    const byOpenid = async (secret: string): Promise<string> => {
      const configuration = await openid.discovery(new URL(service.publicUrl), clientId, secret, undefined, {
        ...{ algorithm: 'oauth2', execute: [allowInsecure], [openid.customFetch]: checkedFetch },
      });
      return (await openid.clientCredentialsGrant(configuration)).access_token;
    };
    const bySimple = async (secret: string): Promise<string> => {
      const auth = { tokenHost: service.publicUrl, tokenPath: '/auth/token' };
      const { token } = await new ClientCredentials({ client: { id: clientId, secret }, auth }).getToken({});
      return String(token.access_token);
    };
    const second = await refresh();
    for (const secret of [first, second]) {
      expect([await searchWith(await byOpenid(secret)), await searchWith(await bySimple(secret))]).toEqual([
        NOTHING,
        NOTHING,
      ]);
    }
    const third = await refresh();
    await expect(byOpenid(first)).rejects.toMatchObject({ error: 'invalid_client' });
    await expect(bySimple(first)).rejects.toMatchObject({ output: { statusCode: 401 } });
    for (const secret of [second, third]) expect(await searchWith(await byOpenid(secret))).toEqual(NOTHING);
  });

  it('simple-oauth2', async () => {
    const credentials = new ClientCredentials({
      client: { id: client.clientId, secret: client.clientSecret },
      auth: { tokenHost: service.publicUrl, tokenPath: '/auth/token' },
    });
    const { token } = await credentials.getToken({});
    expect(token).toMatchObject({ access_token: expect.any(String) as string, token_type: 'Bearer' });
    expect(await searchWith(String(token.access_token))).toEqual(NOTHING);
  });
});

describe('wrong credentials are refused in a way that is understood by', () => {
  it('oauth4webapi', async () => {
    const issuer = new URL(service.publicUrl);
    const options = { [INSECURE]: true, [oauth.customFetch]: checkedFetch };
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
    );
    const wrong = { client_id: client.clientId };
    const response = await oauth.clientCredentialsGrantRequest(server, wrong, oauth.ClientSecretPost('x'), {}, options);
    await expect(oauth.processClientCredentialsResponse(server, wrong, response)).rejects.toMatchObject({
      error: 'invalid_client',
      status: 401,
    });
  });

  it('simple-oauth2', async () => {
    const credentials = new ClientCredentials({
      client: { id: client.clientId, secret: 'x' },
      auth: { tokenHost: service.publicUrl, tokenPath: '/auth/token' },
    });
    await expect(credentials.getToken({})).rejects.toMatchObject({ output: { statusCode: 401 } });
  });
});

describe('an integration', () => {
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await service.request(method, path, { token: await service.issuer.token(), body });
    return { status, json };
  };

  it('registers public keys, which are shown with their kid, and changes and removes them', async () => {
    const [a, b] = [(await signingPair('a')).jwk, (await signingPair('b')).jwk];
    const { status, json } = await ask('POST', '/integrations', {
      ...{ name: 'NID', scopes: ['recordsearch'] },
      jwks: { keys: [{ ...a, kid: undefined }] },
    });
    const { clientId, jwks } = json as { readonly clientId: string; readonly jwks: object };
    const kid = expect.stringMatching(/^[\w-]{43}$/) as string;
    expect([status, jwks]).toEqual([200, { keys: [{ ...a, kid, use: 'sig' }] }]);
    const path = `/integrations/${clientId}`;
    expect((await ask('GET', path)).json).toMatchObject({ jwks });
    const stored = { keys: [a, b].map((key) => ({ ...key, use: 'sig' })) };
    expect(await ask('PUT', `/api/events${path}/jwks`, { keys: [a, b] })).toMatchObject({
      status: 200,
      json: { id: clientId, jwks: stored },
    });
    expect((await ask('GET', path)).json).toMatchObject({ jwks: stored });
    expect((await ask('PUT', `${path}/jwks`, { keys: [] })).json).toEqual({ id: clientId, jwks: { keys: [] } });
    expect((await ask('GET', path)).json).not.toHaveProperty('jwks');
  });

  it.each<[unknown, readonly string[]]>([
    [{ keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }, ['keys[0]: is a symmetric key; register public keys alone']],
    [{ keys: 'none' }, ['keys: must be a list of public keys']],
    [{ jwks: { keys: [] } }, ['jwks: is not a known key; allowed: keys', 'keys: is required']],
    [[], ['body: must be an object']],
  ])('registers no keys of %j, whether there is such a client or not (G-2)', async (body, messages) => {
    const refusal = {
      ...{ code: 'BAD_REQUEST', message: 'Input validation failed' },
      issues: messages.map((message) => ({ message })),
    };
    for (const id of [client.clientId, randomUUID()]) {
      const { status, json } = await ask('PUT', `/integrations/${id}/jwks`, body);
      expect([status, json]).toEqual([400, refusal]);
    }
  });
});
