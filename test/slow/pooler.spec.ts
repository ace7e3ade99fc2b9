import { awaitServer } from '../../src/platform/database/connection/await-server.js';
import { Primary } from '../../src/platform/database/connection/primary.js';
import { isInstalled } from '../support/installed-program.js';
import { startPgbouncer } from '../support/pgbouncer.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const describeWithPgbouncer = isInstalled('pgbouncer', 'what is found out of a pooler') ? describe : describe.skip;

describeWithPgbouncer('a pooler before the database (Q-4)', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase({ migrated: false });
  });
  afterAll(() => test.drop());

  it.each([1, 5])('is refused in transaction mode, at the start and later, with %i connections', async (poolSize) => {
    const pooler = await startPgbouncer(test.url, 'transaction', poolSize);
    try {
      const refusal =
        /pool_mode = transaction.*Give the address of PostgreSQL itself, or of a pool with pool_mode = session/;
      await expect(awaitServer(pooler.url, 60, () => undefined)).rejects.toThrow(refusal);
      await expect(new Primary(pooler.url).connect('matricula test')).rejects.toThrow(refusal);
    } finally {
      await pooler.stop();
    }
  });

  it('is taken in session mode', async () => {
    const pooler = await startPgbouncer(test.url, 'session', 5);
    try {
      await awaitServer(pooler.url, 60, () => undefined);
      const client = await new Primary(pooler.url).connect('matricula test');
      await expect(client.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
      client.abandon(new Error('the test is over'));
    } finally {
      await pooler.stop();
    }
  });
});
