import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const FUZZY = { query: { clauses: [{ data: { 'child.name': { type: 'fuzzy', term: 'Musonda' } } }] } };
/** Far more than a search may take here, and less than a test waits for. */
const LONG_MS = 60_000;

let database: TestDatabase;
let service: RunningApplication;

beforeAll(async () => {
  database = await createTestDatabase();
}, 120_000);
afterAll(async () => {
  await service.stop();
  await database.drop();
});

/** The words cannot be read while `work` is done, in a process that has just started. */
const whileWordsCannotBeRead = (work: (token: string) => Promise<void>): Promise<void> =>
  database.database.transaction(async (transaction) => {
    await transaction.query(sql`lock table fuzzy_word in access exclusive mode`);
    service = await startApplication({ database, env: { SEARCH_TIMEOUT_SECONDS: '1' } });
    await work(await service.issuer.token());
  });

describe('a fuzzy search while the words of all records are still read', () => {
  it('has its time, and no more', async () => {
    await whileWordsCannotBeRead(async (token) => {
      const answer = await Promise.race([
        service.request('POST', '/events/search', { token, body: FUZZY }),
        sleep(LONG_MS, 'no answer' as const, { ref: false }),
      ]);
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    });
    const token = await service.issuer.token();
    await eventually('it is answered', async () => {
      const { status } = await service.request('POST', '/events/search', { token, body: FUZZY });
      return status === 200;
    });
  }, 120_000);
});
