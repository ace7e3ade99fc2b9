import { randomUUID } from 'node:crypto';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Logins } from '../../src/auth/sessions/logins.js';
import { Passwords } from '../../src/auth/users/passwords.js';
import { Users } from '../../src/auth/users/users.js';
import { dayIn } from '../../src/kernel/domain/calendar.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { serve, type Service } from '../support/auth-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Where it is another day now than by UTC, and for an hour at least. */
const TIMEZONE = new Date().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
const DAY_MS = 86_400_000;
const PASSWORD = 'correct horse battery';

let database: TestDatabase;
let service: Service;
let passwordHash: string;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await serve(database, { TIMEZONE, TWO_FA_ENABLED: 'false' });
  passwordHash = await service.app.get(Passwords, { strict: false }).hash(PASSWORD);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

/** What a login at an office with these versions comes to: a status of each from some day on, counted from today. */
async function loginWith(versions: readonly (readonly ['active' | 'inactive', number])[]): Promise<unknown> {
  const office = randomUUID() as Uuid;
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type) values (${office}, 'location', 'Office', null, 'CRVS_OFFICE')`);
  await database.database.query(sql`delete from place_version where place = ${office}`);
  for (const [status, inDays] of versions) {
    const day = dayIn(TIMEZONE, new Date(Date.now() + inDays * DAY_MS));
    await database.database.query(sql`
      insert into place_version (version_id, place, effective_from, name, status)
      values (${randomUUID()}, ${office}, ${day}::date, 'Office', ${status})`);
  }
  const name = { firstname: 'Kennedy', surname: 'Mweene' };
  const user = { username: office, name, role: 'LOCAL_REGISTRAR', primaryOfficeId: office, passwordHash };
  await service.app.get(Users, { strict: false }).create(user, CLI);
  const logins = service.app.get(Logins, { strict: false });
  return logins.authenticate(office, PASSWORD, '10.0.0.1').then(
    ({ status }) => status,
    (error: unknown) => (error as Error).message,
  );
}

const CLOSED = 'The office of the user is inactive';

describe('a login at an office', () => {
  it.each<[string, Parameters<typeof loginWith>[0], string]>([
    ['that nobody has described', [], 'active'],
    ['that is inactive from today on', [['active', -9], ['inactive', 0]], CLOSED], // prettier-ignore
    ['that is inactive from tomorrow on', [['active', -9], ['inactive', 1]], 'active'], // prettier-ignore
    ['that is active again from today on', [['inactive', -9], ['active', 0]], 'active'], // prettier-ignore
    ['that is active again from tomorrow on', [['inactive', -9], ['active', 1]], CLOSED], // prettier-ignore
    ['that begins tomorrow', [['active', 1]], CLOSED],
    ['that begins today', [['active', 0]], 'active'],
  ])('%s, on the day of its country', async (_, versions, outcome) => {
    expect(await loginWith(versions)).toBe(outcome);
  });
});
