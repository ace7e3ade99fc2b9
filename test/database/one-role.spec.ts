import { randomBytes } from 'node:crypto';

import { Secret } from '../../src/platform/config/secret.js';
import { prepareDatabase } from '../../src/platform/database/schema/prepare-database.js';
import { administer, createTestDatabase, nameOf, type TestDatabase } from '../support/postgres.js';

const mark = randomBytes(6).toString('hex');
const OWNER = `owner_${mark}`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  await administer(
    `create role ${OWNER} login password '${mark}'`,
    `alter database ${nameOf(database)} owner to ${OWNER}`,
  );
});
afterAll(async () => {
  await database.drop();
  await administer(`drop role ${OWNER}`);
});

describe('an owner of the tables who is named in DATABASE_MIGRATION_URL and in DATABASE_URL', () => {
  it('keeps his rights, and the next start its migrations and the retention of the audit log', async () => {
    const url = new URL(database.url);
    [url.username, url.password] = [OWNER, mark];
    const start = (months: number) =>
      prepareDatabase(url.href, {
        DATABASE_MIGRATION_URL: new Secret(url.href),
        AUDIT_RETENTION_MONTHS: months,
      });
    await start(0);
    await expect(start(24)).resolves.toEqual([]);
    const rights = await database.dataSource.query<object>(
      `select has_table_privilege($1, 'migration', 'insert') as migrates, months from audit_retention`,
      [OWNER],
    );
    expect(rights).toEqual([{ migrates: true, months: 24 }]);
  });
});
