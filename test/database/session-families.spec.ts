import { decodeJwt } from 'jose';
import type { SessionTokens, SessionUser } from '../../src/auth/sessions/session-families.js';
import { parseUuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { addUser, OFFICE } from '../support/a-user.js';
import { type AuthProcess, authProcess } from '../support/auth-process.js';

describe('sessions of users', () => {
  let database: TestDatabase;
  let process: AuthProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    process = authProcess(database);
    await process.start();
  });
  afterAll(async () => {
    await process.stop();
    await database.drop();
  });

  const aUser = () => addUser(database);
  const familiesOf = ({ userId }: SessionUser) =>
    database.database.query(sql`select family_id as id from session_family where user_id = ${userId}`);
  const auditOf = ({ userId }: SessionUser) =>
    database.database.query(
      sql`select operation, client_type as type from audit_log where client_id = ${userId} order by operation`,
    );
  const endAll = ({ userId }: SessionUser) =>
    database.database.transaction((transaction) => process.families.endAllOf(transaction, userId));

  it('begin with an access token of ten minutes and a refresh token of a week, which have nothing in common', async () => {
    const user = await aUser();
    const now = new Date();
    const { token, refreshToken } = await process.families.begin(user, undefined, now);
    const issuedAt = Math.floor(now.getTime() / 1_000);
    const [access, refresh] = [decodeJwt(token), decodeJwt(refreshToken)];
    const common = { iss: 'opencrvs:auth-service', iat: issuedAt, sub: user.userId, userType: 'user' };
    const { aud, jti, sid, ...claims } = access;
    expect(claims).toEqual({
      ...common,
      exp: issuedAt + 600,
      scope: ['natlsysadmin', 'sysadmin'],
      role: 'NATIONAL_SYSTEM_ADMIN',
      office: OFFICE,
    });
    expect(aud).toEqual(process.config.JWT_AUDIENCE);
    expect(await familiesOf(user)).toEqual([{ id: sid }]);
    const { exp, jti: refreshJti, ...refreshClaims } = refresh;
    expect(refreshClaims).toEqual({ ...common, aud: ['opencrvs:auth-refresh'], familyId: sid });
    expect([jti, refreshJti].every((id) => parseUuid(id) !== undefined)).toBe(true);
    expect(Math.abs((exp ?? 0) - issuedAt - 604_800)).toBeLessThan(60);
    expect(await auditOf(user)).toEqual([{ operation: 'auth.login', type: 'user' }]);
  });

  it('begin for nobody who is deactivated, or is being so', async () => {
    const user = await aUser();
    const ending = database.database.transaction(async (transaction) => {
      await process.families.endAllOf(transaction, user.userId);
      const begun = process.families.begin(user).then(() => 'begun', String);
      await transaction.query(sql`update user_account set status = 'deactivated' where user_id = ${user.userId}`);
      return { begun };
    });
    expect(await (await ending).begun).toContain('The user is not active');
    expect(await familiesOf(user)).toEqual([]);
  });

  it('end all at once, and the logins that have begun', async () => {
    const [user, other] = [await aUser(), await aUser()];
    for (const whose of [user, user, other]) await process.families.begin(whose);
    await database.database.query(
      sql`insert into login_step (nonce_hash, flow, user_id, expires_at)
          select sha256(flow::bytea), flow, ${user.userId}, now() + interval '1 hour' from unnest('{login,password}'::text[]) flow`,
    );
    const before = await familiesOf(user);
    await endAll(user);
    expect([await familiesOf(user), (await familiesOf(other)).length]).toEqual([[], 1]);
    expect(await database.database.query(sql`select flow from login_step`)).toEqual([{ flow: 'password' }]);
    const revoked = await database.database.query(sql`select id from revoked_token`);
    expect(revoked).toEqual(expect.arrayContaining(before));
  });

  it('are at most fifty of a user: of more, those end that were not used for longest', async () => {
    const user = await aUser();
    await process.families.begin(user);
    const [first] = await familiesOf(user);
    for (let more = 0; more < 50; more += 1) await process.families.begin(user);
    const left = await familiesOf(user);
    expect([left.length, left]).toEqual([50, expect.not.arrayContaining([first])]);
    const ended = sql`
      select request_data from audit_log where operation = 'auth.logout' and client_id = ${user.userId}`;
    expect(await database.database.query(ended)).toEqual([
      { request_data: { familyId: (first as { readonly id: string }).id, replacedBy: expect.any(String) as string } },
    ]);
  });

  it('that were refreshed count as used, and one that has expired makes room without a word', async () => {
    const user = await aUser();
    const { refreshToken } = await process.families.begin(user);
    for (let more = 0; more < 49; more += 1) await process.families.begin(user);
    const rows = await database.database.query<{ readonly id: string }>(sql`
      select family_id as id from session_family where user_id = ${user.userId} order by created_at`);
    const [first, second, third] = rows.map(({ id }) => id);
    await process.families.refresh(refreshToken);
    await process.families.begin(user);
    await database.database.query(sql`update session_family set expires_at = now() where family_id = ${third}::uuid`);
    await process.families.begin(user);
    const left = (await familiesOf(user)).map((row) => (row as { readonly id: string }).id);
    expect([left.length, left.includes(first ?? ''), left.includes(third ?? '')]).toEqual([50, true, false]);
    const ended = sql`
      select request_data ->> 'familyId' as id from audit_log
       where operation = 'auth.logout' and client_id = ${user.userId}`;
    expect(await database.database.query(ended)).toEqual([{ id: second }]);
  });

  it('have one grace for the token before the current one, which does not begin anew when it is used', async () => {
    const user = await aUser();
    const { refreshToken: first } = await process.families.begin(user);
    expect(await process.families.refresh(first)).toBeDefined();
    const pass = (seconds: number) =>
      database.database.query(sql`
        update session_family set rotated_at = rotated_at - make_interval(secs => ${seconds}::int)
         where user_id = ${user.userId}`);
    await pass(40);
    expect(await process.families.refresh(first)).toBeDefined();
    await pass(20);
    expect([await process.families.refresh(first), await familiesOf(user)]).toEqual([undefined, []]);
  });

  it('give no tokens to a user who is deactivated, however that came about, and are not taken for stolen', async () => {
    const user = await aUser();
    const { refreshToken } = await process.families.begin(user);
    const become = (status: string) =>
      database.database.query(sql`update user_account set status = ${status} where user_id = ${user.userId}`);
    await become('deactivated');
    expect(await process.families.refresh(refreshToken)).toBeUndefined();
    await become('active');
    expect(await process.families.refresh(refreshToken)).toBeDefined();
  });

  it('are remembered, once ended, for as long as the longest token that anybody has signed for them lives', async () => {
    const living = (seconds: string) => authProcess(database, { CONFIG_TOKEN_EXPIRY_SECONDS: seconds });
    const [short, long] = [living('60'), living('300')];
    const user = await aUser();
    const [brief, begunLong, refreshedLong, ofEarlierRelease] = [
      await short.families.begin(user),
      await long.families.begin(user),
      await short.families.begin(user),
      await short.families.begin(user),
    ];
    const refreshed = await long.families.refresh(refreshedLong.refreshToken);
    await short.families.refresh(refreshed?.refreshToken ?? '');
    const ids = [brief, begunLong, refreshedLong, ofEarlierRelease].map(({ token }) => decodeJwt(token)['sid']);
    await database.database.query(
      sql`update session_family set token_seconds = default where family_id = ${ids[3] as typeof OFFICE}`,
    );
    await database.database.transaction((transaction) => short.families.endAllOf(transaction, user.userId));
    const remembered = await database.database.query(sql`
      select id, round(extract(epoch from expires_at - now()) / 60)::int as minutes from revoked_token`);
    // A minute more than the tokens live, by which clocks may differ.
    const expected = [2, 6, 6, 7 * 24 * 60 + 1].map((minutes, at) => ({ id: ids[at], minutes }));
    expect(remembered).toEqual(expect.arrayContaining(expected));
  });

  it('are remembered until tokens have expired whose process has a clock that is five minutes ahead', async () => {
    const user = await aUser();
    const ahead = new Date(Date.now() + 300_000);
    const begun = await process.families.begin(user, undefined, ahead);
    const other = await process.families.begin(user);
    const refreshed = await process.families.refresh(other.refreshToken, ahead);
    const tokens = [begun, refreshed ?? other].map(({ token }) => decodeJwt(token));
    await endAll(user);
    const remembered = await database.database.query<{ id: string; until: number }>(
      sql`select id, extract(epoch from expires_at)::float8 as until from revoked_token`,
    );
    const untilOf = ({ sid }: Record<string, unknown>) => remembered.find(({ id }) => id === sid)?.until ?? 0;
    expect(tokens.map((claims) => untilOf(claims) >= Number(claims.exp))).toEqual([true, true]);
  });

  it('give out no access token that lives longer than they do', async () => {
    const brief = authProcess(database, {
      CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS: '120',
      CONFIG_TOKEN_EXPIRY_SECONDS: '600',
    });
    const user = await aUser();
    const begun = await brief.families.begin(user);
    const refreshed = await brief.families.refresh(begun.refreshToken);
    await database.database.query(sql`
      update session_family set expires_at = now() + interval '1 minute' where user_id = ${user.userId}`);
    const inGrace = await brief.families.refresh(begun.refreshToken);
    const isWithin = (mostSeconds: number, tokens?: SessionTokens): boolean => {
      const { iat, exp } = decodeJwt(tokens?.token ?? '');
      return Number(exp) - Number(iat) <= mostSeconds;
    };
    expect([isWithin(120, begun), isWithin(120, refreshed), isWithin(60, inGrace)]).toEqual([true, true, true]);
  });

  it('go on in a process whose clock is behind that of the one which has signed their tokens', async () => {
    const user = await aUser();
    const [behind, ahead] = [new Date(), new Date(Date.now() + 60_000)];
    const { refreshToken } = await process.families.begin(user, undefined, ahead);
    const tokens = await process.families.refresh(refreshToken, behind);
    expect(decodeJwt(tokens?.token ?? '').iat).toBe(Math.floor(behind.getTime() / 1_000));
  });

  it('end one by one, with a row of the audit log', async () => {
    const user = await aUser();
    const { token } = await process.families.begin(user);
    await process.families.end({ ...user, familyId: decodeJwt(token)['sid'] as typeof OFFICE });
    expect(await familiesOf(user)).toEqual([]);
    expect(await auditOf(user)).toEqual([
      { operation: 'auth.login', type: 'user' },
      { operation: 'auth.logout', type: 'user' },
    ]);
  });
});
