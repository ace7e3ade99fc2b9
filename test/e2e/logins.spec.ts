import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aUuid } from '../support/builders/a-uuid.js';

const OFFICE = aUuid(1);
const PASSWORD = 'correct horse battery';
const SUPER_USER_PASSWORD = 'the first of all passwords';
const NO_CODE = '000000';

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication({ env: { TWO_FA_ENABLED: 'false', SUPER_USER_PASSWORD } });
  await service.database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type) values (${OFFICE}, 'location', 'Office', null, 'CRVS_OFFICE')`);
});
afterAll(() => service.stop());

const post = async (path: string, body: object): Promise<[number, unknown]> => {
  const answer = await service.request('POST', path, { body });
  return [answer.status, answer.json];
};

describe('a service that is being set up', () => {
  it('is administered by its super user until there is an administrator, who then signs in', async () => {
    const [status, body] = await post('/auth/authenticate-super-user', { password: SUPER_USER_PASSWORD });
    const { token } = body as { token: string };
    const order = {
      username: 'admin',
      name: { firstname: 'Edgar', surname: 'Kazembe' },
      role: 'NATIONAL_SYSTEM_ADMIN',
      primaryOfficeId: OFFICE,
      mobile: '+260933333333',
      password: PASSWORD,
    };
    const created = await service.request('POST', '/users', { listener: 'internal', token, body: order });
    expect([status, created.status]).toEqual([200, 201]);
    expect((await post('/auth/authenticate-super-user', { password: SUPER_USER_PASSWORD }))[0]).toBe(401);

    const [, begun] = await post('/auth/authenticate', { username: 'Admin', password: PASSWORD });
    const { nonce } = begun as { nonce: string };
    expect(begun).toEqual({ nonce, mobile: '+260933333333', status: 'active' });
    expect(await post('/auth/resendAuthenticationCode', { nonce, notificationEvent: '2FA' })).toEqual([200, { nonce }]);
    expect((await post('/auth/verifyCode', { nonce, code: '000001' }))[0]).toBe(401);
    const [, session] = await post('/auth/verifyCode', { nonce, code: NO_CODE });
    const { token: own } = session as { token: string };
    const listed = await service.request('GET', '/users', { listener: 'internal', token: own });
    expect([listed.status, JSON.stringify(listed.json).includes('admin')]).toEqual([200, true]);
    expect(await post('/auth/verifyToken', { token: own })).toEqual([200, { valid: true }]);
  });

  it('has no other addresses for it, and none of earlier releases', async () => {
    const answers = await Promise.all(
      ['/authenticate', '/verifyCode', '/auth/verifyNumber', '/auth/Authenticate'].map((path) => post(path, {})),
    );
    expect(answers.map(([status]) => status)).toEqual([404, 404, 404, 404]);
  });

  it('logs no password, no code and no token', async () => {
    await post('/auth/authenticate', { username: 'admin', password: 'a wrong password' });
    const log = JSON.stringify(service.log);
    const secrets = [PASSWORD, SUPER_USER_PASSWORD, 'a wrong password', 'eyJ'];
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });
});
