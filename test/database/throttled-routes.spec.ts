import type { Service } from '../support/auth-service.js';
import { JSON_TYPE, serve } from '../support/auth-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await serve(database, { TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

/** All tests ask from here, and about the same key: each route has a count of its own. */
const [HERE, ELSEWHERE] = ['10.9.0.1', '10.9.0.2'];
const [KEY, ANOTHER] = ['100001', '100002'];

async function statusOf(route: string, body: object, address: string): Promise<number> {
  const headers = { ...JSON_TYPE, 'x-forwarded-for': address };
  const answer = await fetch(`${service.url}/auth/${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.status;
}

describe('requests of those who are nobody yet', () => {
  it.each<[string, string, (key: string) => object, number]>([
    ['authenticate', 'user name', (username) => ({ username, password: 'x' }), 401],
    ['verifyCode', 'nonce', (nonce) => ({ nonce, code: '123456' }), 401],
    ['resendAuthenticationCode', 'nonce', (nonce) => ({ nonce, notificationEvent: '2FA' }), 401],
    ['verifyUser', 'address', (name) => ({ email: `${name}@example.org`, retrieveFlow: 'password' }), 200],
    ['verifyUser', 'number', (mobile) => ({ mobile, retrieveFlow: 'password' }), 200],
    ['verifySecurityAnswer', 'nonce', (nonce) => ({ nonce, answer: 'x' }), 401],
    ['changePassword', 'nonce', (nonce) => ({ nonce, newPassword: 'another password' }), 401],
    ['sendUserName', 'nonce', (nonce) => ({ nonce }), 401],
  ])('to %s are answered ten times a minute for a %s from one address', async (route, _, about, answer) => {
    const statuses: number[] = [];
    for (let at = 1; at <= 12; at += 1) statuses.push(await statusOf(route, about(KEY), HERE));
    expect(statuses).toEqual([...Array<number>(10).fill(answer), 429, 429]);
    expect([await statusOf(route, about(ANOTHER), HERE), await statusOf(route, about(KEY), ELSEWHERE)]).toEqual([
      answer,
      answer,
    ]);
  });

  it('to verifyRecoveryToken are answered sixty times a minute from one address, whatever the token', async () => {
    const statuses: number[] = [];
    for (let at = 1; at <= 62; at += 1) statuses.push(await statusOf('verifyRecoveryToken', { token: `${at}` }, HERE));
    expect(statuses).toEqual([...Array<number>(60).fill(401), 429, 429]);
    expect(await statusOf('verifyRecoveryToken', { token: '1' }, ELSEWHERE)).toBe(401);
  });
});
