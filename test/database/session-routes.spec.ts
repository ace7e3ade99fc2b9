import { decodeJwt } from 'jose';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { SessionFamilies, type SessionTokens } from '../../src/auth/sessions/session-families.js';
import { type Credentials, SystemClients } from '../../src/auth/clients/system-clients.js';
import { AccessTokens } from '../../src/auth/tokens/access-tokens.js';
import { UserDirectory } from '../../src/auth/users/user-directory.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { asking, form, FORM, serve, type Service } from '../support/auth-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { addUser, OFFICE } from '../support/a-user.js';

describe('the routes of sessions', () => {
  let database: TestDatabase;
  let service: Service;
  let client: Credentials;
  let gateway: Credentials;
  const { post, postJson, complete, basic } = asking(() => ({ service, client }));

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await serve(database);
    const clients = service.app.get(SystemClients, { strict: false });
    client = await clients.register({ registeredAs: 'RECORD_SEARCH', by: CLI });
    gateway = await clients.register({ scopes: ['token.introspect'], by: CLI });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  async function logIn(): Promise<SessionTokens & { readonly userId: string }> {
    const user = await addUser(database);
    await service.app.get(UserDirectory, { strict: false }).refresh();
    return { ...user, ...(await service.app.get(SessionFamilies, { strict: false }).begin(user)) };
  }
  const families = () => service.app.get(SessionFamilies, { strict: false });
  const statusWith = async (token: string): Promise<number> =>
    (await fetch(`${service.url}/config`, { headers: { authorization: `Bearer ${token}` } })).status;
  const answered = async (response: Promise<Response>) => {
    const { status, headers } = await response;
    const text = await (await response).text();
    return { status, stored: headers.get('cache-control'), body: text === '' ? '' : (JSON.parse(text) as unknown) };
  };
  const refresh = (token: unknown) => answered(postJson('/auth/refreshToken', { token }));
  const logOut = (token: unknown) => answered(postJson('/auth/invalidateToken', { token }));
  async function clientToken(of = client): Promise<string> {
    const { body } = await answered(post('/auth/token', form(complete(of))));
    return (body as { readonly access_token: string }).access_token;
  }
  const asked = (path: string, token: string, of = client) =>
    answered(post(path, form({ token, client_id: of.clientId, client_secret: of.clientSecret.reveal() })));
  const introspect = async (token: string, of = client) => (await asked('/auth/introspect', token, of)).body;

  const REFUSED = {
    status: 401,
    stored: 'no-store',
    body: { message: 'The refresh token is not valid', code: 'UNAUTHORIZED' },
  };
  const DONE = { status: 200, stored: 'no-store', body: {} };

  it('exchange a refresh token, whose session ends when it is used again later', async () => {
    const { token, refreshToken, userId } = await logIn();
    const { status, stored, body } = await refresh(refreshToken);
    const next = body as SessionTokens;
    expect([status, stored, Object.keys(next)]).toEqual([200, 'no-store', ['token', 'refreshToken']]);
    expect([await statusWith(token), await statusWith(next.token)]).toEqual([200, 200]);
    expect((await refresh(refreshToken)).status).toBe(200);
    await database.database.query(
      sql`update session_family set rotated_at = rotated_at - interval '61 s' where user_id = ${userId}`,
    );
    expect(await refresh(refreshToken)).toEqual(REFUSED);
    expect([await refresh(next.refreshToken), await statusWith(next.token)]).toEqual([REFUSED, 401]);
    expect(
      await database.database.query(sql`select client_id as who, request_data->>'familyId' as family from audit_log
                                        where operation = 'auth.reuse'`),
    ).toEqual([{ who: userId, family: decodeJwt(token)['sid'] }]);
  });

  it('are asked sixty times a minute by a session at most, and others by as many', async () => {
    const [one, other] = [await logIn(), await logIn()];
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () => (await refresh(one.refreshToken)).status),
    );
    expect(statuses.toSorted()).toEqual([...Array<number>(60).fill(200), 429]);
    expect((await refresh(other.refreshToken)).status).toBe(200);
    expect((await refresh('garbage')).status).toBe(401);
    expect(await logOut(one.refreshToken)).toEqual(DONE);
    expect(await statusWith(one.token)).toBe(401);
  });

  it('take no access token for a refresh token, nor a refresh token for an access token', async () => {
    const { token, refreshToken } = await logIn();
    for (const none of [token, await clientToken(), 'garbage', '', `${refreshToken}x`]) {
      expect(await refresh(none)).toEqual(REFUSED);
    }
    expect(await statusWith(refreshToken)).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it('refuse a body that is not about one token', async () => {
    for (const path of ['/auth/refreshToken', '/auth/invalidateToken']) {
      const issues = async (body: unknown) => {
        const { status, body: answer } = await answered(postJson(path, body));
        return [status, (answer as { readonly issues?: unknown }).issues];
      };
      expect(await issues({})).toEqual([400, [{ message: 'token: is required' }]]);
      expect(await issues({ token: ['a'], more: 1 })).toEqual([
        400,
        [{ message: 'more: is not a known key; allowed: token, nonce' }, { message: 'token: must be a string' }],
      ]);
      expect((await answered(postJson(path, { token: 'a'.repeat(70_000) }))).status).toBe(413);
      expect((await answered(post(path, form({ token: 'a' })))).status).toBe(415);
    }
  });

  it.each(['token', 'refreshToken'] as const)('end the session of the %s that is invalidated', async (which) => {
    const pair = await logIn();
    expect(await logOut(pair[which])).toEqual(DONE);
    expect([await statusWith(pair.token), await refresh(pair.refreshToken)]).toEqual([401, REFUSED]);
    expect(await logOut(pair[which])).toEqual(DONE);
  });

  it('say the same of what is no token, and end a client’s or an administrator’s by itself', async () => {
    expect(await logOut('garbage')).toEqual(DONE);
    const [one, other] = [await clientToken(), await clientToken()];
    const tokens = service.app.get(AccessTokens, { strict: false });
    const made = { role: 'system-admin', subject: 'x'.repeat(5_000), ttlSeconds: 60, by: CLI } as const;
    const administrators = await tokens.administratorToken(made, new Date());
    for (const ended of [one, administrators]) {
      expect(await statusWith(ended)).toBe(200);
      expect(await logOut(ended)).toEqual(DONE);
      expect(await statusWith(ended)).toBe(401);
    }
    expect(await statusWith(other)).toBe(200);
  });

  it('revoke a client’s own access token alone (RFC 7009)', async () => {
    const [own, another] = [await clientToken(), await clientToken(gateway)];
    expect(await asked('/auth/revoke', own)).toEqual(DONE);
    expect(await statusWith(own)).toBe(401);
    const { refreshToken, token } = await logIn();
    for (const none of [own, 'garbage']) expect(await asked('/auth/revoke', none)).toEqual(DONE);
    for (const theirs of [another, token, refreshToken]) {
      expect(await asked('/auth/revoke', theirs)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', error_description: 'the token was issued to another' },
      });
      expect(await introspect(theirs, gateway)).toMatchObject({ active: true });
    }
  });

  it('tell a client of its own tokens, and of others’ to one with the scope (RFC 7662)', async () => {
    const own = await clientToken();
    const { iss, sub, aud, exp, iat, jti } = decodeJwt(own);
    const described = {
      ...{ active: true, scope: 'recordsearch', token_type: 'Bearer', userType: 'system', client_id: client.clientId },
      ...{ iss, sub, aud, exp, iat, jti },
    };
    expect([await introspect(own), await introspect(own, gateway)]).toEqual([described, described]);
    const { token, refreshToken, userId } = await logIn();
    for (const theirs of [token, refreshToken, await clientToken(gateway)]) {
      expect(await introspect(theirs)).toEqual({ active: false });
    }
    expect(await introspect(token, gateway)).toMatchObject({
      ...{ active: true, scope: 'natlsysadmin sysadmin', userType: 'user', sub: userId },
      ...{ role: 'NATIONAL_SYSTEM_ADMIN', office: OFFICE },
    });
    expect(await introspect(refreshToken, gateway)).toEqual({
      ...{ active: true, userType: 'user', sub: userId, iss, aud: ['opencrvs:auth-refresh'] },
      ...{ exp: expect.any(Number) as number, iat: expect.any(Number) as number, jti: decodeJwt(refreshToken).jti },
    });
  });

  it('verify an access token for real, and no other', async () => {
    const { token, refreshToken } = await logIn();
    const verified = async (of: string) => (await answered(postJson('/auth/verifyToken', { token: of }))).body;
    const own = await clientToken();
    const of = [token, own, refreshToken, 'garbage', '', `${token}x`];
    const valid = async () => (await Promise.all(of.map(verified))).map((body) => (body as { valid: boolean }).valid);
    expect(await valid()).toEqual([true, true, false, false, false, false]);
    await logOut(refreshToken);
    await logOut(own);
    expect(await valid()).toEqual([false, false, false, false, false, false]);
  });

  it('say of every token that is not good that it is not active, and nothing else', async () => {
    const { token, refreshToken, userId } = await logIn();
    const [revoked, deactivated] = [
      await clientToken(),
      await service.app.get(SystemClients, { strict: false }).register({ registeredAs: 'HEALTH', by: CLI }),
    ];
    const theirs = await clientToken(deactivated);
    await asked('/auth/revoke', revoked);
    await service.app.get(SystemClients, { strict: false }).setStatus(deactivated.clientId, 'deactivated', CLI);
    await database.database.transaction((transaction) => families().endAllOf(transaction, userId as typeof OFFICE));
    await families().heed();
    for (const none of [token, refreshToken, revoked, theirs, 'garbage', `${revoked}x`]) {
      expect(await introspect(none, gateway)).toEqual({ active: false });
    }
  });

  it.each(['/auth/revoke', '/auth/introspect'])(
    'authenticate the client of %s as the token endpoint does',
    async (path) => {
      const token = await clientToken();
      const withBasic = await post(path, {
        ...form({ token }),
        headers: { ...FORM, authorization: basic() },
      });
      expect(withBasic.status).toBe(200);
      expect(
        (await answered(post(path, { headers: { 'content-type': 'application/json' }, body: '{"token":' }))).body,
      ).toMatchObject({ error: 'invalid_request' });
      const wrong = await post(path, {
        headers: {
          ...FORM,
          authorization: `Basic ${Buffer.from(`${client.clientId}:no`).toString('base64')}`,
        },
        body: 'token=a',
      });
      expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="token", charset="UTF-8"',
      ]);
      expect(await wrong.json()).toMatchObject({ error: 'invalid_client' });
      expect(await asked(path, '')).toMatchObject({ status: 400, body: { error_description: 'token must be given' } });
      expect(await answered(post(`${path}?token=${token}`, form(complete())))).toMatchObject({
        ...{ status: 400, body: { error: 'invalid_request', error_description: 'token must be in the body' } },
      });
      expect((await answered(post(path, form({ token })))).status).toBe(400);
    },
  );

  it('remember a thousand revoked tokens of a client, and refuse to revoke more', async () => {
    await database.database.query(
      sql`insert into revoked_token (id, subject, expires_at)
          select gen_random_uuid(), ${gateway.clientId}, now() + interval '1 hour' from generate_series(1, 1000)`,
    );
    const token = await clientToken(gateway);
    const refused = await post('/auth/revoke', form({ ...complete(gateway), token }));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await asked('/auth/revoke', await clientToken())).toEqual(DONE);
    await database.database.query(sql`update revoked_token set expires_at = now() where subject = ${gateway.clientId}`);
    expect(await asked('/auth/revoke', token, gateway)).toEqual(DONE);
  });
});
