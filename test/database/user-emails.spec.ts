import { CLI } from '../../src/platform/audit/audit-entry.js';
import { RecoveryRequests } from '../../src/auth/sessions/recoveries.js';
import { UserChanges } from '../../src/auth/user-administration/user-changes.js';
import { Users } from '../../src/auth/users/users.js';
import type { UserView } from '../../src/auth/users/user-view.js';
import { ServiceError } from '../../src/kernel/errors/service-error.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { serve, type Service } from '../support/auth-service.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TokenIssuer } from '../support/token-issuer.js';

const OFFICE = aUuid(1);
const TAKEN = new ServiceError('CONFLICT', 'Another user has this e-mail address');

/** In Turkish `I` is the capital of `ı`, and `lower` of PostgreSQL follows the locale of the database. */
let database: TestDatabase;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase({ icuLocale: 'tr-TR' });
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type) values (${OFFICE}, 'location', 'Office', null, 'CRVS_OFFICE')`);
  service = await serve(database, { JWT_PRIVATE_KEY: new TokenIssuer().pem });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

let count = 0;
function aUserWith(email: string): Promise<UserView> {
  count += 1;
  const name = { firstname: 'Ada', surname: 'Kaya' };
  const order = { username: `user${count}`, name, role: 'LOCAL_REGISTRAR', primaryOfficeId: OFFICE, email };
  return service.app.get(Users, { strict: false }).create(order, CLI);
}

describe('an e-mail address, whatever the locale of the database', () => {
  it.each([
    ['INFO@example.org', 'info@EXAMPLE.ORG'],
    ['ömer.Çelik@example.org', 'Ömer.çELİK@example.org'],
    ['ΟΔΥΣΣΕΥΣ@example.gr', 'οδυσσευς@example.gr'],
  ])('belongs to one user in any letter case: %s', async (email, same) => {
    await aUserWith(email);
    await expect(aUserWith(same)).rejects.toEqual(TAKEN);
    const other = await aUserWith(`other.${email}`);
    const changed = service.app.get(UserChanges, { strict: false }).update(other.id, { email: same }, CLI);
    await expect(changed).rejects.toEqual(TAKEN);
  });

  it('leads its user to a link in any letter case', async () => {
    const { id } = await aUserWith('irmak@example.org');
    const request = { by: { email: 'IRMAK@example.org' }, flow: 'password', address: '192.0.2.1' } as const;
    await service.app.get(RecoveryRequests, { strict: false }).add(request);
    const links = sql`select from recovery_link where user_id = ${id}`;
    await eventually('there is a link', async () => (await database.database.query(links)).length === 1);
  });

  it('is found through an index', async () => {
    const plan = await database.database.transaction(async (transaction) => {
      await transaction.query(sql`set local enable_seqscan = off`);
      return transaction.query(sql`explain select from user_account where email_key(email) = email_key('a@b.co')`);
    });
    expect(JSON.stringify(plan)).toContain('user_account_email');
  });
});
