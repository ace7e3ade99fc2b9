import { usernameKey } from '../../src/auth/users/username-key.js';
import { CapitalSharpS1766100800000 } from '../../src/database/migrations/1766100800000-capital-sharp-s.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { MIGRATIONS } from '../../src/database/schema/migrations.js';
import { sql } from '../../src/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

async function undo(): Promise<void> {
  for (let undone = MIGRATIONS.indexOf(CapitalSharpS1766100800000); undone < MIGRATIONS.length; undone += 1)
    await test.dataSource.undoLastMigration({ transaction: 'all' });
}

describe('users of an earlier release', () => {
  it('are found by names with a capital sharp s, there and back', async () => {
    const keys = sql`select username_key as key from user_account`;
    await undo();
    await test.database.query(sql`
      insert into user_account (user_id, username, username_key, firstname, surname, role, primary_office_id, status)
      values (gen_random_uuid(), 'WEIẞ', 'weiß', 'A', 'B', 'clerk', gen_random_uuid(), 'active')`);
    await migrate(test.dataSource);
    expect(await test.database.query(keys)).toEqual([{ key: usernameKey('weiß') }]);
    await undo();
    expect(await test.database.query(keys)).toEqual([{ key: 'weiß' }]);
  });

  it('keep the schema from being migrated while two have one name', async () => {
    await test.database.query(sql`
      insert into user_account (user_id, username, username_key, firstname, surname, role, primary_office_id, status)
      values (gen_random_uuid(), 'weiß', 'weiss', 'A', 'B', 'clerk', gen_random_uuid(), 'active')`);
    await expect(migrate(test.dataSource)).rejects.toThrow('The names of these users are one in capitals: WEIẞ, weiß.');
    await test.database.query(sql`delete from user_account where username = 'weiß'`);
    expect(await migrate(test.dataSource)).toContain('CapitalSharpS1766100800000');
  });
});
