import { once } from 'node:events';
import { sql } from '../../src/kernel/sql/sql.js';
import { aSecretsKey, startMatricula } from '../support/command-line.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';

let test: TestDatabase;
let proxy: TcpProxy;
beforeEach(async () => {
  test = await createTestDatabase();
  proxy = await TcpProxy.to(test.url);
});
afterEach(async () => {
  await proxy.close();
  await test.drop();
});

describe('a command whose database falls silent', () => {
  it.each([
    ['reindex', '--check'],
    ['export', 'records'],
  ])('says so, and fails once it is there again without its answer: %s %s', async (...arguments_) => {
    let said = '';
    const command = await test.database.transaction(async (transaction) => {
      await transaction.query(sql`lock table event_document in access exclusive mode`);
      const running = startMatricula(arguments_, { SECRETS_KEY: aSecretsKey(), DATABASE_URL: proxy.url });
      running.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      await untilLocksAreAwaited(test.database);
      proxy.hang();
      await eventually('it says so', () => said.includes('The database does not answer; waiting for it.\n'));
      proxy.passNew();
      return running;
    });
    expect(await once(command, 'exit')).toEqual([1, null]);
    expect(said).toContain('The database can be used again.\n');
  });
});
