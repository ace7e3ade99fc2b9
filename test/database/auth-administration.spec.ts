import type { Credentials } from '../../src/auth/clients/system-clients.js';
import { asking, JSON_TYPE, serve, type Service } from '../support/auth-service.js';
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

const { register, authorization, credentials, postJson, administer } = asking(() => ({ service, client }));

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
    ['record.correct', 'record.correct'],
    ['record.registration-correct', 'record.correct'],
    ['record.reject-registration', 'record.action.reject'],
  ])('registers %s of an earlier release, and says what it became', async (scope, became) => {
    const answer = await administer('/registerSystemClient', { scope });
    expect([answer.status, await answer.json()]).toMatchObject([201, { scope: [became] }]);
  });

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
