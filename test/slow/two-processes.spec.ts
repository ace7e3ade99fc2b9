import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { aSecretsKey, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sessionCommands } from '../support/sessions/session-commands.js';
import { EXPIRY_SECONDS, GRACE_SECONDS, SessionModel } from '../support/sessions/session-model.js';
import { sessionsByHttp } from '../support/sessions/sessions-by-http.js';
import { LONG_TEST_MS } from '../support/time-outs.js';

jest.setTimeout(LONG_TEST_MS);

const SECRETS_KEY = aSecretsKey();
const TWO = {
  ...{ SECRETS_KEY, JWT_PRIVATE_KEY: '', TWO_FA_ENABLED: 'false', TRUSTED_PROXIES: '127.0.0.1' },
  CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS: String(EXPIRY_SECONDS),
  CONFIG_REFRESH_TOKEN_GRACE_SECONDS: String(GRACE_SECONDS),
};
/** Of the user from whom others are copied, so that a password is hashed for none of them. */
const CREDENTIALS = { username: 'k.mweene', password: 'correct horse' };
/** Longer than a process may take to heed a deactivation (G-3: 2 s), and far less than its token is good for. */
const HEEDED_MS = 60_000;

let database: TestDatabase;
let one: RunningApplication;
let other: RunningApplication;
let env: Readonly<Record<string, string>>;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'matricula-two-'));
  env = { SECRETS_KEY, DATABASE_URL: database.url };
  // At once, on a database without a key: both must come to sign with the same one.
  [one, other] = await Promise.all([
    startApplication({ database, env: TWO }),
    startApplication({ database, env: TWO }),
  ]);
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
  await rm(directory, { recursive: true });
});

const administrator = async (): Promise<string> =>
  (await succeed(['token', '--role', 'national-system-admin'], env)).trim();

async function aFile(name: string, content: unknown): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

async function search(service: RunningApplication, token: string, clause: object): Promise<unknown> {
  const body = { query: { clauses: [clause] }, limit: 0 };
  const { status, json } = await service.request('POST', '/events/search', { token, body });
  return status === 200 ? (json as { total: number }).total : status;
}

/** Another active user, with the password of the first. */
async function copiedUser(): Promise<{ readonly userId: Uuid; readonly username: string }> {
  const userId = aUuid();
  await database.database.query(sql`
    insert into user_account (user_id, username, username_key, firstname, surname, role, primary_office_id, status,
                              password_hash)
    select ${userId}, ${userId}, ${userId}, firstname, surname, 'HOSPITAL_CLERK', primary_office_id, 'active',
           password_hash from user_account where username = ${CREDENTIALS.username}`);
  return { userId, username: userId };
}

describe('of two processes on one database', () => {
  it('each knows the tokens of the other, and soon refuses a client that the other deactivated', async () => {
    const admin = await administrator();
    const ask = { listener: 'internal', token: admin } as const;
    const registered = await one.request('POST', '/registerSystemClient', { ...ask, body: { scope: 'HEALTH' } });
    const { client_id, client_secret } = registered.json as { client_id: string; client_secret: string };
    const body = { client_id, client_secret, grant_type: 'client_credentials' };
    const granted = await other.request('POST', '/auth/token', { body });
    const { access_token: token } = granted.json as { access_token: string };
    const births = { eventType: 'birth' };
    expect([await search(one, token, births), await search(other, token, births)]).toEqual([0, 0]);

    await one.request('POST', '/deactivateSystemClient', { ...ask, body: { client_id } });
    expect(await search(one, token, births)).toBe(401);
    await eventually('the other refuses it', async () => (await search(other, token, births)) === 401, HEEDED_MS);
    expect((await other.request('POST', '/auth/token', { body })).status).toBe(401);
  });

  it('each heeds what the other does with a user: his role at the next request, and that he is deactivated', async () => {
    const ask = { listener: 'internal', token: await administrator() } as const;
    const office = aUuid();
    const locations = [{ id: office, name: 'Office', partOf: 'Location/0', locationType: 'CRVS_OFFICE' }];
    await succeed(['import', 'locations', await aFile('office.json', { administrativeAreas: [], locations })], env);
    const name = { firstname: 'Kennedy', surname: 'Mweene' };
    const user = { ...CREDENTIALS, name, role: 'HOSPITAL_CLERK', primaryOfficeId: office };
    const created = await one.request('POST', '/users', { ...ask, body: user });
    const { id } = created.json as { id: string };

    const { json: authenticated } = await other.request('POST', '/auth/authenticate', { body: CREDENTIALS });
    const body = { nonce: (authenticated as { nonce: string }).nonce, code: '000000' };
    const { token } = (await one.request('POST', '/auth/verifyCode', { body })).json as { token: string };
    const statusAt = async (service: RunningApplication): Promise<number> =>
      (await service.request('GET', '/users', { listener: 'internal', token })).status;
    expect([await statusAt(one), await statusAt(other)]).toEqual([403, 403]);

    await one.request('PATCH', `/users/${id}`, { ...ask, body: { role: 'NATIONAL_SYSTEM_ADMIN' } });
    expect(await statusAt(one)).toBe(200);
    await eventually('the other knows his role', async () => (await statusAt(other)) === 200, HEEDED_MS);
    await other.request('POST', `/users/${id}/deactivate`, ask);
    expect(await statusAt(other)).toBe(401);
    await eventually('the one refuses him', async () => (await statusAt(one)) === 401, HEEDED_MS);
    expect((await one.request('POST', '/auth/authenticate', { body: CREDENTIALS })).status).toBe(403);
  });

  it('are as U-3 and U-7 say with sessions, whatever happens in whatever order at either', async () => {
    const admin = await administrator();
    await fc.assert(
      fc.asyncProperty(sessionCommands(20), async (commands) => {
        const users = [await copiedUser(), await copiedUser()] as const;
        const real = sessionsByHttp([one, other], { users, password: CREDENTIALS.password, administrator: admin });
        const model = new SessionModel();
        const tokens = await real.begin(0, users[0].userId);
        if (tokens === undefined) throw new Error('the user cannot log in');
        model.begin(users[0].userId, tokens);
        await fc.asyncModelRun(() => ({ model, real }), commands);
      }),
      // A failure prints its seed and path, and the commands up to it.
      { numRuns: 6 },
    );
  });

  it('both see what the command line imports: records at once (S-14), places soon', async () => {
    const admin = await administrator();
    const [area, office] = [aUuid(), aUuid()];
    const record = aRecord({ createdAtLocation: office });
    await succeed(['import', 'records', await aFile('records.ndjson', record)], env);
    const byTrackingId = { trackingId: { type: 'exact', term: record.trackingId } };
    expect(await Promise.all([search(one, admin, byTrackingId), search(other, admin, byTrackingId)])).toEqual([1, 1]);

    const within = { createdAtLocation: { type: 'within', location: area } };
    expect(await Promise.all([search(one, admin, within), search(other, admin, within)])).toEqual([0, 0]);
    const places = {
      administrativeAreas: [{ id: area, name: 'North', partOf: null }],
      locations: [{ id: office, name: 'Office', partOf: `Location/${area}`, locationType: 'CRVS_OFFICE' }],
    };
    await succeed(['import', 'locations', await aFile('places.json', places)], env);
    for (const service of [one, other]) {
      await eventually('the place is known', async () => (await search(service, admin, within)) === 1, HEEDED_MS);
    }
  });
});
