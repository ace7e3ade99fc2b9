import { createRemoteJWKSet, customFetch, importSPKI, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Credentials } from '../../src/auth/clients/system-clients.js';
import { asking, serve, type Service } from '../support/auth-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let service: Service;
let client: Credentials;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await serve(database);
  client = await register();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const { register, credentials, postJson, keySet } = asking(() => ({ service, client }));

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
      const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
      const algorithms = [
        ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
      ];
      expect(await (await fetch(`${named.url}/.well-known/oauth-authorization-server`)).json()).toEqual({
        issuer: 'https://register.example.org',
        token_endpoint: 'https://register.example.org/auth/token',
        token_endpoint_auth_methods_supported: methods,
        token_endpoint_auth_signing_alg_values_supported: algorithms,
        revocation_endpoint: 'https://register.example.org/auth/revoke',
        revocation_endpoint_auth_methods_supported: methods,
        revocation_endpoint_auth_signing_alg_values_supported: algorithms,
        introspection_endpoint: 'https://register.example.org/auth/introspect',
        introspection_endpoint_auth_methods_supported: methods,
        introspection_endpoint_auth_signing_alg_values_supported: algorithms,
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

it('names no private_key_jwt without PUBLIC_URL, for which alone assertions can be', async () => {
  expect(await (await fetch(`${service.url}/.well-known/oauth-authorization-server`)).json()).toEqual({
    issuer: service.url,
    token_endpoint: `${service.url}/auth/token`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint: `${service.url}/auth/revoke`,
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    introspection_endpoint: `${service.url}/auth/introspect`,
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    jwks_uri: `${service.url}/.well-known/jwks.json`,
    service_documentation: `${service.url}/docs`,
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
  ])(
    'oauth4webapi finds the endpoints, obtains a token by %s, asks about it and revokes it',
    async (_, authentication) => {
      const fetching = { [oauth.customFetch]: proxied };
      const issuer = new URL(PUBLIC_URL);
      const discovery = await oauth.discoveryRequest(issuer, { ...fetching, algorithm: 'oauth2' });
      const server = await oauth.processDiscoveryResponse(issuer, discovery);
      const asking = { client_id: credentials().client_id };
      const answer = await oauth.clientCredentialsGrantRequest(server, asking, authentication(), {}, fetching);
      const { access_token } = await oauth.processClientCredentialsResponse(server, asking, answer);
      const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''), { [customFetch]: proxied });
      await jwtVerify(access_token, keys, { issuer: 'opencrvs:auth-service', audience: 'opencrvs:events-user' });
      const isActive = async (): Promise<boolean> => {
        const told = await oauth.introspectionRequest(server, asking, authentication(), access_token, fetching);
        return (await oauth.processIntrospectionResponse(server, asking, told)).active;
      };
      expect(await isActive()).toBe(true);
      const revoked = await oauth.revocationRequest(server, asking, authentication(), access_token, fetching);
      await oauth.processRevocationResponse(revoked);
      expect(await isActive()).toBe(false);
    },
  );

  it('openid-client finds the endpoints, obtains a token, asks about it and revokes it', async () => {
    const { client_id, client_secret } = credentials();
    const server = await openid.discovery(new URL(PUBLIC_URL), client_id, client_secret, undefined, {
      algorithm: 'oauth2',
      [openid.customFetch]: proxied,
    });
    const { access_token, token_type } = await openid.clientCredentialsGrant(server);
    expect(token_type).toBe('bearer');
    await jwtVerify(access_token, await keySet());
    const told = await openid.tokenIntrospection(server, access_token);
    expect(told).toMatchObject({ active: true, client_id });
    await openid.tokenRevocation(server, access_token);
    expect(await openid.tokenIntrospection(server, access_token)).toEqual({ active: false });
  });
});
