import { decodeJwt } from 'jose';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Users } from '../../src/auth/users/users.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { JSON_TYPE, serve, type Service } from '../support/auth-service.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const OFFICE = aUuid(1);
const SUPER_USER_PASSWORD = 'the first of all passwords';

let database: TestDatabase;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type) values (${OFFICE}, 'location', 'Office', null, 'CRVS_OFFICE')`);
  service = await serve(database, { SUPER_USER_PASSWORD, TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function ask(password: unknown, address = '10.0.0.1', of = service): Promise<[number, unknown]> {
  const headers = { ...JSON_TYPE, 'x-forwarded-for': address };
  const body = JSON.stringify({ password });
  const answer = await fetch(`${of.url}/auth/authenticate-super-user`, { method: 'POST', headers, body });
  return [answer.status, await answer.json()];
}

describe('POST /auth/authenticate-super-user', () => {
  const wrong = [401, { code: 'UNAUTHORIZED', message: 'password is wrong' }];

  it('answers a national administrator’s token to the password until there has been an active one', async () => {
    const [status, body] = await ask(SUPER_USER_PASSWORD);
    const { token } = body as { token: string };
    expect([status, decodeJwt(token)]).toEqual([
      200,
      expect.objectContaining({ sub: 'super-user', userType: 'user', scope: ['natlsysadmin', 'sysadmin'] }),
    ]);
    const audited = await database.database.query(sql`
      select operation, response_summary ->> 'jti' as jti from audit_log where client_id = 'super-user'`);
    expect(audited).toEqual([{ operation: 'auth.superUserLogin', jti: decodeJwt(token).jti }]);
    expect(await ask('another password')).toEqual(wrong);
    const { id } = await service.app.get(Users, { strict: false }).create(
      {
        ...{ username: 'first', name: { firstname: 'Kennedy', surname: 'Mweene' }, email: 'first@example.org' },
        ...{ role: 'NATIONAL_SYSTEM_ADMIN', primaryOfficeId: OFFICE },
      },
      CLI,
    );
    const setStatus = (status: string): Promise<unknown> =>
      database.database.query(sql`update user_account set status = ${status} where user_id = ${id}`);
    expect((await ask(SUPER_USER_PASSWORD))[0]).toBe(200);
    await setStatus('active');
    expect(await ask(SUPER_USER_PASSWORD)).toEqual(wrong);
    // Whoever finds the password of the set-up later is no administrator again by it.
    await setStatus('deactivated');
    expect(await ask(SUPER_USER_PASSWORD)).toEqual(wrong);
    await database.database.query(
      sql`update user_account set status = 'active', role = 'REGISTRATION_AGENT' where user_id = ${id}`,
    );
    expect(await ask(SUPER_USER_PASSWORD)).toEqual(wrong);
  });

  it('stays complete where the country names its roles otherwise', async () => {
    const ROLES = JSON.stringify([{ id: 'ADMINISTRATOR', label: 'Administrator', scopes: ['natlsysadmin'] }]);
    const renamed = await serve(database, { SUPER_USER_PASSWORD, TRUSTED_PROXIES: '127.0.0.1', ROLES });
    try {
      expect(await ask(SUPER_USER_PASSWORD, '10.0.0.1', renamed)).toEqual(wrong);
    } finally {
      await renamed.close();
    }
  });

  it('says 400 to what is no password', async () => {
    const [status, body] = await ask(null, '10.4.0.1');
    const [issue, ...others] = (body as { issues: { message: string }[] }).issues;
    expect([status, issue?.message.startsWith('password: '), others]).toEqual([400, true, []]);
  });

  it('says 429 to whomever after ten requests a minute', async () => {
    const statuses = await Promise.all(
      Array.from(
        // More than in any two minutes that they may fall into.
        { length: 21 },
        async (_, at) => (await ask('x', `10.3.0.${at}`))[0],
      ),
    );
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });
});
