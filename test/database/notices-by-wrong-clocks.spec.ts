import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Passwords } from '../../src/auth/users/passwords.js';
import { PasswordResets } from '../../src/auth/sessions/password-resets.js';
import { RecoveryRequests } from '../../src/auth/sessions/recovery-requests.js';
import type { UserView } from '../../src/auth/users/user-view.js';
import { Users } from '../../src/auth/users/users.js';
import { HOUR_MS } from '../../src/kernel/domain/calendar.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { JSON_TYPE, serve, type Service } from '../support/auth-service.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const OFFICE = aUuid(1);
const PASSWORD = 'correct horse battery';

let database: TestDatabase;
let service: Service;
let user: UserView;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type) values (${OFFICE}, 'location', 'Office', null, 'CRVS_OFFICE')`);
  service = await serve(database);
  user = await service.app.get(Users, { strict: false }).create(
    {
      username: 'registrar',
      name: { firstname: 'Kennedy', surname: 'Mweene' },
      role: 'LOCAL_REGISTRAR',
      primaryOfficeId: OFFICE,
      email: 'user@example.org',
      passwordHash: await service.app.get(Passwords, { strict: false }).hash(PASSWORD),
    },
    CLI,
  );
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await database.database.query(sql`delete from user_notice`);
});

/** How long each notice may be sent, in seconds, by the database's clock. */
const times = (): Promise<readonly { readonly event: string; readonly seconds: number }[]> =>
  database.database.query(sql`
    select event, extract(epoch from expires_at - created_at)::float8 as seconds from user_notice order by position`);

describe.each([
  ['behind', -HOUR_MS],
  ['ahead', HOUR_MS],
])('a process whose clock is an hour %s', (_, shiftMs) => {
  it('has codes and links sent for as long as they are good, and not longer', async () => {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs);
    const body = JSON.stringify({ username: user.username, password: PASSWORD });
    const answer = await fetch(`${service.url}/auth/authenticate`, { method: 'POST', headers: JSON_TYPE, body });
    expect(answer.status).toBe(200);
    const requests = service.app.get(RecoveryRequests, { strict: false });
    await requests.add({ by: { email: 'user@example.org' }, flow: 'username', address: '10.0.0.1' });
    await eventually('the link', async () => (await times()).length === 2);
    expect(await times()).toEqual([
      { event: '2fa', seconds: 600 },
      { event: 'username-reminder-link', seconds: HOUR_MS / 1_000 },
    ]);
  });
});

it('so is the link of an administrator', async () => {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() - HOUR_MS);
  await service.app.get(PasswordResets, { strict: false }).reset(user.id, CLI);
  expect(await times()).toEqual([{ event: 'password-reset-link', seconds: HOUR_MS / 1_000 }]);
});
