import { randomUUID } from 'node:crypto';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { SessionFamilies, type SessionTokens } from '../../src/auth/sessions/session-families.js';
import { type Credentials, SystemClients } from '../../src/auth/clients/system-clients.js';
import { AccessTokens } from '../../src/auth/tokens/access-tokens.js';
import { UserDirectory } from '../../src/auth/users/user-directory.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { form, JSON_TYPE, serve, type Service } from '../support/auth-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TokenIssuer } from '../support/token-issuer.js';
import { addUser } from '../support/a-user.js';

const issuer = new TokenIssuer();
let database: TestDatabase;
let service: Service;
let client: Credentials;
let gateway: Credentials;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await serve(database, { JWT_PRIVATE_KEY: issuer.pem });
  const clients = service.app.get(SystemClients, { strict: false });
  client = await clients.register({ registeredAs: 'RECORD_SEARCH', by: CLI });
  gateway = await clients.register({ scopes: ['token.introspect'], by: CLI });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const families = (): SessionFamilies => service.app.get(SessionFamilies, { strict: false });
const query = (statement: ReturnType<typeof sql>): Promise<unknown[]> => database.database.query(statement);

async function asked(route: string, token: string, by: Credentials): Promise<unknown> {
  const credentials = { client_id: by.clientId, client_secret: by.clientSecret.reveal() };
  const answer = await fetch(`${service.url}/auth/${route}`, { method: 'POST', ...form({ ...credentials, token }) });
  return answer.json();
}
const introspect = (token: string, by = gateway): Promise<unknown> => asked('introspect', token, by);
const post = (route: string, token: string): Promise<Response> =>
  fetch(`${service.url}/auth/${route}`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ token }) });

/** A token of the client, with other claims. */
const made = (claims: object = {}): Promise<string> =>
  issuer.token({ sub: client.clientId, userType: 'system', scope: ['recordsearch'], jti: randomUUID(), ...claims });
async function session(): Promise<SessionTokens & { readonly userId: string }> {
  const user = await addUser(database);
  await service.app.get(UserDirectory, { strict: false }).refresh();
  return { ...user, ...(await families().begin(user)) };
}

const INACTIVE = { active: false };

describe('an access token', () => {
  it('of a person whom the command line calls as a client is called is none of that client', async () => {
    const order = { role: 'system-admin', subject: client.clientId, ttlSeconds: 60, by: CLI } as const;
    const token = await service.app.get(AccessTokens, { strict: false }).administratorToken(order, new Date());
    expect(await introspect(token, client)).toEqual(INACTIVE);
    expect(await asked('revoke', token, client)).toMatchObject({
      error: 'invalid_request',
      error_description: 'the token was issued to another',
    });
    expect(await introspect(token)).toMatchObject({ active: true, sub: client.clientId, userType: 'user' });
  });

  it('is not good from the second on in which it ends, nor of another issuer, nor for another audience', async () => {
    const seconds = (): number => Math.floor(Date.now() / 1_000);
    expect(await introspect(await made())).toMatchObject({ active: true, client_id: client.clientId });
    for (const claims of [{ exp: seconds() }, { iss: 'another' }, { aud: ['another'] }]) {
      const token = await made(claims);
      expect([claims, await introspect(token)]).toEqual([claims, INACTIVE]);
      expect(await (await post('verifyToken', token)).json()).toEqual({ valid: false });
    }
  });

  it('is asked of the database while changes are not heard', async () => {
    const token = await made();
    const feed = service.app.get(ChangeFeed, { strict: false });
    const become = (status: string) =>
      query(sql`update system_client set status = ${status} where client_id = ${client.clientId}`);
    await feed.stop();
    await become('deactivated');
    expect(await introspect(token)).toEqual(INACTIVE);
    await become('active');
    expect(await introspect(token)).toMatchObject({ active: true });
    await feed.start();
  });

  it('is revoked once, with one row of the audit log, however often it is asked for', async () => {
    const jti = randomUUID();
    const token = await made({ jti });
    for (let time = 0; time < 2; time += 1) expect(await asked('revoke', token, client)).toEqual({});
    expect(await query(sql`select operation from audit_log where request_data ->> 'jti' = ${jti}`)).toEqual([
      { operation: 'auth.revoke' },
    ]);
  });
});

describe('a refresh token', () => {
  it('is active as long as it can be exchanged: current, or in its grace, of a user who is not deactivated', async () => {
    const { refreshToken: before, userId } = await session();
    const current = (await families().refresh(before))?.refreshToken ?? '';
    const areActive = async (): Promise<unknown> =>
      (await Promise.all([before, current].map((token) => introspect(token)))).map(
        (answer) => (answer as { readonly active: boolean }).active,
      );
    expect(await areActive()).toEqual([true, true]);
    await query(sql`update session_family set rotated_at = rotated_at - interval '61 s' where user_id = ${userId}`);
    expect(await areActive()).toEqual([false, true]);
    await query(sql`update user_account set status = 'deactivated' where user_id = ${userId}`);
    expect(await areActive()).toEqual([false, false]);
  });

  it('of a session that is lost costs the database sixty logouts a minute, which are not counted as refreshes', async () => {
    const { refreshToken, userId } = await session();
    await query(sql`delete from session_family where user_id = ${userId}`);
    const statuses: number[] = [];
    for (let at = 1; at <= 62; at += 1) statuses.push((await post('invalidateToken', refreshToken)).status);
    expect(statuses).toEqual([...Array<number>(60).fill(200), 429, 429]);
    expect((await post('refreshToken', refreshToken)).status).toBe(401);
  });
});
