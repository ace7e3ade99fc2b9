import { usernameKey } from '../../src/domain/username-key.js';
import { CapitalSharpS1766100800000 } from '../../src/database/migrations/1766100800000-capital-sharp-s.js';
import { UsernameSkeletons1768000500000 } from '../../src/database/migrations/1768000500000-username-skeletons.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { MIGRATIONS } from '../../src/database/schema/migrations.js';
import { sql } from '../../src/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

async function undo(from: (typeof MIGRATIONS)[number] = CapitalSharpS1766100800000): Promise<void> {
  for (let undone = MIGRATIONS.indexOf(from); undone < MIGRATIONS.length; undone += 1)
    await test.dataSource.undoLastMigration({ transaction: 'all' });
}

/** A user of this name as an earlier release has written them. */
const stored = (username: string): Promise<unknown> =>
  test.database.query(sql`
    insert into user_account (user_id, username, username_key, firstname, surname, role, primary_office_id, status)
    values (gen_random_uuid(), ${username}, ${usernameKey(username)}, 'A', 'B', 'clerk', gen_random_uuid(), 'active')`);

describe('users of an earlier release', () => {
  it('keep names that look alike, and new ones are compared with them', async () => {
    await undo(UsernameSkeletons1768000500000);
    const names = ['paul', 'раul', 'k.mwe\u3164ene', 'k.mweene'];
    for (const username of names) await stored(username);
    await migrate(test.dataSource);
    const kept = await test.database.query<{ readonly skeleton: string }>(sql`
      delete from user_account where username = any (${names}::text[]) returning username, username_skeleton as skeleton`);
    expect(kept).toHaveLength(names.length);
    expect(new Set(kept.map(({ skeleton }) => skeleton))).toEqual(new Set(['paul', 'k.rnweene']));
  });

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
