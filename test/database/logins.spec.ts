import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import type { Notice } from '../../src/auth/notices/notice-outbox.js';
import { Passwords } from '../../src/auth/users/passwords.js';
import { SessionFamilies } from '../../src/auth/sessions/session-families.js';
import { UserDirectory } from '../../src/auth/users/user-directory.js';
import { Users } from '../../src/auth/users/users.js';
import type { UserView } from '../../src/auth/users/user-view.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { JSON_TYPE, serve, type Service } from '../support/auth-service.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { noticesSentBy } from '../support/notices-sent-by.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TokenIssuer } from '../support/token-issuer.js';

const OFFICE = aUuid(1);
const PASSWORD = 'correct horse battery';

let database: TestDatabase;
let service: Service;
let passwordHash: string;
let sent: Notice[];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type) values (${OFFICE}, 'location', 'Office', null, 'CRVS_OFFICE')`);
  service = await serve(database, { TRUSTED_PROXIES: '127.0.0.1' });
  passwordHash = await service.app.get(Passwords, { strict: false }).hash(PASSWORD);
  sent = noticesSentBy(service);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

let count = 0;
/** A user. The requests that follow come from an address of his own, so that they are counted apart. */
async function aUser(more: { readonly password?: boolean } = {}): Promise<UserView> {
  count += 1;
  return service.app.get(Users, { strict: false }).create(
    {
      username: `Régistrar${count}`,
      name: { firstname: 'Kennedy', surname: 'Mweene' },
      role: 'LOCAL_REGISTRAR',
      primaryOfficeId: OFFICE,
      email: `user${count}@example.org`,
      ...(more.password === false ? {} : { passwordHash }),
    },
    CLI,
  );
}
const setStatus = (user: UserView, status: string): Promise<unknown> =>
  database.database.query(sql`update user_account set status = ${status} where user_id = ${user.id}`);

async function post(path: string, body: object, address = `10.0.0.${count}`): Promise<Response> {
  const headers = { ...JSON_TYPE, 'x-forwarded-for': address };
  return fetch(`${service.url}/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}
async function outcome(path: string, body: object, address?: string): Promise<[number, unknown]> {
  const answer = await post(path, body, address);
  return [answer.status, await answer.json()];
}
async function nonceOf(user: UserView): Promise<string> {
  const answer = await post('authenticate', { username: user.username, password: PASSWORD });
  return ((await answer.json()) as { nonce: string }).nonce;
}
const lastCode = (): string => (sent.at(-1)?.body as { readonly code: string }).code;
/** Another code of six digits. */
const notThe = (code: string): string => (code === '123456' ? '123457' : '123456');

const WRONG_PASSWORD = [401, { code: 'UNAUTHORIZED', message: 'username or password is wrong' }];
const WRONG_CODE = [401, { code: 'UNAUTHORIZED', message: 'nonce or code is wrong, or has expired' }];
const NO_CODE = [401, { code: 'UNAUTHORIZED', message: 'No code can be sent again for this nonce' }];

describe('POST /auth/authenticate', () => {
  it('answers a nonce to the right password, in any letter case of the name, and has a code sent', async () => {
    const user = await aUser();
    const answer = await post('authenticate', { username: user.username.toUpperCase(), password: PASSWORD });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await answer.json()).toEqual({
      nonce: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/) as string,
      email: user.email,
      status: 'active',
    });
    expect(sent.at(-1)).toEqual({
      event: '2fa',
      userId: user.id,
      body: {
        recipient: { name: user.name, email: user.email },
        code: expect.stringMatching(/^[1-9][0-9]{5}$/) as string,
      },
      goodSeconds: 600,
    });
  });

  it.each([' ', '\u00a0', '\u200b\n', '\ufeff'])('takes a name with %j around it, and no password', async (space) => {
    const { username } = await aUser();
    const around = (text: string): string => `${space}${text}${space}`;
    expect((await post('authenticate', { username: around(username), password: PASSWORD })).status).toBe(200);
    expect(await outcome('authenticate', { username, password: around(PASSWORD) })).toEqual(WRONG_PASSWORD);
  });

  it('tells an unknown user, one without a password and a wrong password apart by nothing', async () => {
    const [user, pending] = [await aUser(), await aUser({ password: false })];
    const bodies = [
      { username: user.username, password: `${PASSWORD}.` },
      { username: pending.username, password: PASSWORD },
      { username: 'nobody', password: PASSWORD },
    ];
    const texts = await Promise.all(
      bodies.map(async (body) => {
        const answer = await post('authenticate', body);
        const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-correlation-id');
        return JSON.stringify([answer.status, headers, await answer.text()]);
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(await outcome('authenticate', { username: 'nobody', password: 'x' })).toEqual(WRONG_PASSWORD);
  });

  it('refuses a deactivated user, once the password has shown who asks', async () => {
    const user = await aUser();
    await setStatus(user, 'deactivated');
    expect([
      await outcome('authenticate', { username: user.username, password: PASSWORD }),
      await outcome('authenticate', { username: user.username, password: 'wrong' }),
    ]).toEqual([[403, { code: 'FORBIDDEN', message: 'The user is deactivated' }], WRONG_PASSWORD]);
  });

  it('refuses a user of an office that is inactive today, and no other day', async () => {
    const user = await aUser();
    const signIn = (password = PASSWORD) => outcome('authenticate', { username: user.username, password });
    const closeFrom = (day: string) =>
      database.database.query(sql`
        insert into place_version (version_id, place, effective_from, name, status)
        values (${randomUUID()}, ${OFFICE}, ${day}::date, 'Office', 'inactive')`);
    await closeFrom('2999-01-01');
    expect((await signIn())[0]).toBe(200);
    await closeFrom('2020-01-01');
    expect([await signIn(), await signIn('wrong')]).toEqual([
      [403, { code: 'FORBIDDEN', message: 'The office of the user is inactive' }],
      WRONG_PASSWORD,
    ]);
    await database.database.query(sql`delete from place_version where place = ${OFFICE} and status = 'inactive'`);
    expect((await signIn())[0]).toBe(200);
  });

  it('begins the session of a pending user at once', async () => {
    const user = await aUser();
    await setStatus(user, 'pending');
    const [status, body] = await outcome('authenticate', { username: user.username, password: PASSWORD });
    expect([status, body]).toEqual([
      200,
      {
        ...{ nonce: expect.any(String) as string, email: user.email, status: 'pending' },
        ...{ token: expect.any(String) as string, refreshToken: expect.any(String) as string },
      },
    ]);
    const { nonce } = body as { nonce: string };
    expect(await outcome('verifyCode', { nonce, code: '000000' })).toEqual(WRONG_CODE);
    expect(await outcome('resendAuthenticationCode', { nonce, notificationEvent: '2FA' })).toEqual(NO_CODE);
  });

  it('says 429 with Retry-After after ten requests of a name from one address, to the right password too', async () => {
    const user = await aUser();
    const statuses: number[] = [];
    for (let at = 1; at <= 10; at += 1) {
      statuses.push((await post('authenticate', { username: user.username, password: 'wrong' })).status);
    }
    const refused = await post('authenticate', { username: user.username, password: PASSWORD });
    expect([statuses, refused.status, refused.headers.get('retry-after')]).toEqual([
      Array(10).fill(401),
      429,
      expect.stringMatching(/^[1-6]?[0-9]$/),
    ]);
    const elsewhere = await outcome('authenticate', { username: user.username, password: PASSWORD }, '10.1.0.1');
    expect(elsewhere[0]).toBe(200);
  });
});

describe('POST /auth/verifyCode', () => {
  it('begins a session with the right code, once', async () => {
    const user = await aUser();
    const nonce = await nonceOf(user);
    const bodies = await Promise.all([1, 2, 3, 4].map(() => outcome('verifyCode', { nonce, code: lastCode() })));
    const begun = bodies.filter(([status]) => status === 200);
    expect(begun).toEqual([[200, { token: expect.any(String) as string, refreshToken: expect.any(String) as string }]]);
    expect(bodies.filter(([status]) => status !== 200)).toEqual([WRONG_CODE, WRONG_CODE, WRONG_CODE]);
    const claims = decodeJwt((begun[0]?.[1] as { token: string }).token);
    expect(claims).toMatchObject({ sub: user.id, userType: 'user', role: user.role, office: OFFICE });
  });

  it.each([
    ['a space behind it', (code: string) => `${code} `],
    ['groups', (code: string) => `\u200b${code.slice(0, 3)}\u2011 ${code.slice(3)}`],
    ['digits of another script', (code: string) => code.replace(/\d/g, (digit) => '০১২৩৪৫৬৭৮৯'.charAt(Number(digit)))],
  ])('takes a code with %s', async (_, typed) => {
    const nonce = await nonceOf(await aUser());
    expect((await post('verifyCode', { nonce, code: typed(lastCode()) })).status).toBe(200);
  });

  it('checks five codes and no more, however many come at once', async () => {
    const nonce = await nonceOf(await aUser());
    const code = lastCode();
    const guess = (address: string): Promise<[number, unknown]> =>
      outcome('verifyCode', { nonce, code: notThe(code) }, address);
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, at) => guess(`10.2.0.${at}`)));
    expect(guesses).toEqual(Array(20).fill(WRONG_CODE));
    expect(await outcome('verifyCode', { nonce, code })).toEqual(WRONG_CODE);
    const [step] = await database.database.query(sql`select attempts from login_step order by created_at desc limit 1`);
    expect(step).toEqual({ attempts: 5 });
  });

  it('begins no session for a user who was deactivated after the password', async () => {
    const user = await aUser();
    const nonce = await nonceOf(user);
    const sessions = service.app.get(SessionFamilies, { strict: false });
    await setStatus(user, 'deactivated');
    expect((await outcome('verifyCode', { nonce, code: lastCode() }))[0]).toBe(401);
    await setStatus(user, 'active');
    await database.database.transaction((transaction) => sessions.endAllOf(transaction, user.id));
    expect(await outcome('verifyCode', { nonce, code: lastCode() })).toEqual(WRONG_CODE);
  });
});

describe('POST /auth/resendAuthenticationCode', () => {
  it('sends another code three times, which replaces the one before', async () => {
    const nonce = await nonceOf(await aUser());
    const codes = [lastCode()];
    const statuses: unknown[] = [];
    for (let at = 1; at <= 3; at += 1) {
      statuses.push(
        await outcome('resendAuthenticationCode', { nonce, notificationEvent: '2FA', retrievalFlow: false }),
      );
      codes.push(lastCode());
    }
    expect(statuses).toEqual(Array(3).fill([200, { nonce }]));
    expect(await outcome('resendAuthenticationCode', { nonce, notificationEvent: '2FA' })).toEqual(NO_CODE);
    const [first = '', , , last = ''] = codes;
    const early = await outcome('verifyCode', { nonce, code: first === last ? notThe(last) : first });
    expect([early, (await outcome('verifyCode', { nonce, code: last }))[0]]).toEqual([WRONG_CODE, 200]);
  });
});

describe('POST /auth/verifyToken', () => {
  const isValid = async (token: string): Promise<unknown> => (await outcome('verifyToken', { token }))[1];
  const [valid, invalid] = [{ valid: true }, { valid: false }];

  it('is true for the access token of a session until it ends, and of a user until he is deactivated', async () => {
    const user = await aUser();
    const begin = async (): Promise<{ token: string; refreshToken: string }> => {
      const nonce = await nonceOf(user);
      return (await outcome('verifyCode', { nonce, code: lastCode() }))[1] as { token: string; refreshToken: string };
    };
    const [one, other] = [await begin(), await begin()];
    const before = [await isValid(one.token), await isValid(one.refreshToken)];
    await outcome('invalidateToken', { token: one.token });
    const after = [await isValid(one.token), await isValid(other.token)];
    await setStatus(user, 'deactivated');
    await service.app.get(UserDirectory, { strict: false }).refresh();
    expect([before, after, await isValid(other.token)]).toEqual([[valid, invalid], [invalid, valid], invalid]);
  });

  it('is false for what was changed, signed with another key, or is no token', async () => {
    const nonce = await nonceOf(await aUser());
    const [, session] = await outcome('verifyCode', { nonce, code: lastCode() });
    const [header = '', claims = '', signature = ''] = (session as { token: string }).token.split('.');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const foreign = await new TokenIssuer().token({ sub: 'cli' });
    const tokens = [`${header}.${claims}x.${signature}`, `${unsigned}.${claims}.`, foreign, 'garbage', ''];
    expect(await Promise.all(tokens.map(isValid))).toEqual(tokens.map(() => invalid));
  });
});

describe('bad input', () => {
  it.each([
    ['authenticate', {}, ['username: ', 'password: ']],
    ['authenticate', { username: 'a\u0000', password: 'x'.repeat(1_025) }, ['username: ', 'password: ']],
    ['authenticate', { username: ['a'], password: { a: 1 }, other: 1 }, ['other: ', 'username: ', 'password: ']],
    ['verifyCode', { nonce: 1, code: 123456 }, ['nonce: ', 'code: ']],
    ['verifyCode', { nonce: 'x'.repeat(65), code: '' }, ['nonce: ', 'code: ']],
    ['resendAuthenticationCode', { nonce: 'x', retrievalFlow: 'yes' }, ['notificationEvent: ', 'retrievalFlow: ']],
  ])('to %s is a 400 that names every fault (%#)', async (path, body, faults) => {
    const [status, answer] = await outcome(path, body, '10.4.0.1');
    const issues = (answer as { issues: { message: string }[] }).issues.map(({ message }) => message);
    expect([status, issues.length]).toEqual([400, faults.length]);
    for (const fault of faults) expect(issues.some((issue) => issue.startsWith(fault))).toBe(true);
  });

  it('of more than 64 KiB is a 413', async () => {
    expect((await outcome('authenticate', { username: 'a', password: 'x'.repeat(70_000) }))[0]).toBe(413);
  });
});
