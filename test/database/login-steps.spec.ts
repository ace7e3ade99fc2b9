import { randomUUID } from 'node:crypto';

import { ClientSecretHash } from '../../src/auth/secrets/client-secret-hash.js';
import { LoginSteps } from '../../src/auth/sessions/login-steps.js';
import { SecretsBox } from '../../src/auth/secrets/secrets-box.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const box = new SecretsBox(Buffer.alloc(32, 1));
const CODE = '123456';

let database: TestDatabase;
let steps: LoginSteps;
beforeAll(async () => {
  database = await createTestDatabase();
  const config = { CONFIG_SMS_CODE_EXPIRY_SECONDS: 600 };
  const hashes = new ClientSecretHash(database.database, box, database.database.primary);
  steps = new LoginSteps(database.database, hashes, config);
});
afterAll(() => database.drop());

async function aUser(status = 'active'): Promise<Uuid> {
  const id = randomUUID() as Uuid;
  await database.database.query(sql`
    insert into user_account (user_id, username, username_key, firstname, surname, role, primary_office_id, status)
    values (${id}, ${id}, ${id}, 'A', 'B', 'LOCAL_REGISTRAR', ${randomUUID()}, ${status})`);
  return id;
}
const begin = async (code = CODE): Promise<string> =>
  steps.begin(database.database, { flow: 'login', userId: await aUser(), code });
const expire = (nonces = sql`true`): Promise<unknown> =>
  database.database.query(
    sql`update login_step set expires_at = clock_timestamp() - interval '1 second' where ${nonces}`,
  );
const times = async <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));
const LOGIN = { flow: 'login', passed: false } as const;

describe('LoginSteps', () => {
  it('keeps neither nonce nor code, and knows the code of the nonce alone', async () => {
    const nonce = await begin();
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    const [row] = await database.database.query<{ readonly text: string }>(
      sql`select to_jsonb(s) as text from login_step s`,
    );
    const other = await begin();
    const step = await steps.attempt(nonce, ['login']);
    expect(JSON.stringify(row)).not.toContain(CODE);
    expect([
      await steps.isCode(step ?? { codeHash: null }, nonce, CODE),
      await steps.isCode(step ?? { codeHash: null }, nonce, '123457'),
      await steps.isCode(step ?? { codeHash: null }, other, CODE),
      await steps.isCode({ codeHash: null }, nonce, CODE),
    ]).toEqual([true, false, false, false]);
  });

  it('counts five attempts and no more, however many come at once and whatever is sent again', async () => {
    const nonce = await begin();
    const first = await times(2, () => steps.attempt(nonce, ['login']));
    await steps.renewCode(database.database, nonce, '654321');
    const others = await times(20, () => steps.attempt(nonce, ['login']));
    expect([...first, ...others].filter((step) => step !== undefined)).toHaveLength(5);
    expect(await steps.renewCode(database.database, nonce, '111111')).toBeUndefined();
  });

  it('sends a code again three times, however many ask at once; the earlier code is no longer good', async () => {
    const nonce = await begin();
    const renewed = await times(10, () => steps.renewCode(database.database, nonce, '654321'));
    expect(renewed.filter((user) => user !== undefined)).toHaveLength(3);
    const step = await steps.attempt(nonce, ['login']);
    expect([
      await steps.isCode(step ?? { codeHash: null }, nonce, CODE),
      await steps.isCode(step ?? { codeHash: null }, nonce, '654321'),
    ]).toEqual([false, true]);
  });

  it('is used up once, however many come at once', async () => {
    const nonce = await begin();
    const taken = await times(10, () => steps.take(database.database, nonce, LOGIN));
    expect(taken.filter((user) => user !== undefined)).toHaveLength(1);
    expect(await steps.attempt(nonce, ['login'])).toBeUndefined();
  });

  it('is of its flow alone, and of nobody else’s nonce', async () => {
    const nonce = await begin();
    expect([
      await steps.attempt(nonce, ['password', 'username']),
      await steps.attempt(`${nonce}=`, ['login']),
      await steps.take(database.database, nonce, { flow: 'password', passed: false }),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it('ends with its time', async () => {
    const nonce = await begin();
    await expire();
    expect([
      await steps.attempt(nonce, ['login']),
      await steps.renewCode(database.database, nonce, CODE),
      await steps.take(database.database, nonce, LOGIN),
      await steps.pass(nonce),
    ]).toEqual([undefined, undefined, undefined, false]);
  });

  it('can be taken as passed only when everything was shown', async () => {
    const userId = await aUser();
    const nonce = await steps.begin(database.database, { flow: 'password', userId, questionKey: 'BIRTH_TOWN' });
    await steps.ask(nonce, 'HERO');
    expect(await steps.attempt(nonce, ['password'])).toEqual({
      ...{ userId, flow: 'password', codeHash: null, questionKey: 'HERO', passed: false },
    });
    const before = await steps.take(database.database, nonce, { flow: 'password', passed: true });
    await steps.pass(nonce);
    const after = await steps.take(database.database, nonce, { flow: 'password', passed: true });
    expect([before, after]).toEqual([undefined, userId]);
  });

  it('lets a user have ten open ones of a flow, however many begin at once, until they expire', async () => {
    const userId = await aUser();
    const one = (flow: 'login' | 'password' = 'login'): Promise<unknown> =>
      database.database
        .transaction((transaction) => steps.begin(transaction, { flow, userId, code: CODE }))
        .catch((error: unknown) => error);
    const outcomes = await times(15, one);
    const refused = outcomes.filter((outcome) => typeof outcome !== 'string');
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ code: 'TOO_MANY_REQUESTS', refusal: 'logins-open' });
    expect([await one('password'), await begin()].map((outcome) => typeof outcome)).toEqual(['string', 'string']);
    await expire(sql`user_id = ${userId}`);
    expect(typeof (await one())).toBe('string');
  });

  it('is good for ten minutes, and for as long again with a code that is sent again', async () => {
    const nonce = await begin();
    const minutes = (): Promise<unknown[]> =>
      database.database.query(sql`
        select round(extract(epoch from expires_at - clock_timestamp()) / 60)::int as minutes from login_step
         order by created_at desc limit 1`);
    expect(await minutes()).toEqual([{ minutes: 10 }]);
    await database.database.query(sql`update login_step set expires_at = clock_timestamp() + interval '1 minute'`);
    await steps.renewCode(database.database, nonce, '654321');
    expect(await minutes()).toEqual([{ minutes: 10 }]);
  });

  it('says when the first of too many open ones expires', async () => {
    const userId = await aUser();
    const one = () => steps.begin(database.database, { flow: 'login', userId, code: CODE });
    for (let at = 0; at < 10; at += 1) await one();
    await database.database.query(sql`
      update login_step set expires_at = clock_timestamp() + interval '30 seconds'
       where nonce_hash in (select nonce_hash from login_step where user_id = ${userId} limit 1)`);
    await expect(one()).rejects.toMatchObject({
      headers: { 'retry-after': expect.stringMatching(/^([1-9]|[12]\d|30)$/) as string },
    });
  });

  it('asks nothing more once everything was shown', async () => {
    const userId = await aUser();
    const nonce = await steps.begin(database.database, { flow: 'password', userId, questionKey: 'BIRTH_TOWN' });
    await steps.pass(nonce);
    await steps.ask(nonce, 'HERO');
    expect(await steps.attempt(nonce, ['password'])).toEqual({
      ...{ userId, flow: 'password', codeHash: null, questionKey: null, passed: true },
    });
  });

  it('is refused for a user who is deactivated', async () => {
    const userId = await aUser('deactivated');
    await expect(steps.begin(database.database, { flow: 'login', userId })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });
});
