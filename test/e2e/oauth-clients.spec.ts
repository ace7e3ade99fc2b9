import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { OpenApiCheck } from '../support/openapi-check.js';

let service: RunningApplication;
let client: { readonly clientId: string; readonly clientSecret: string };
let check: OpenApiCheck;
beforeAll(async () => {
  service = await startApplication();
  client = await service.registerClient('HEALTH');
  const { json } = await service.request('GET', '/openapi.json', { listener: 'internal' });
  check = new OpenApiCheck(json as ConstructorParameters<typeof OpenApiCheck>[0]);
});
afterAll(() => service.stop());

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
    expect(granted).toEqual({ access_token: expect.any(String) as string, token_type: 'bearer' });
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
