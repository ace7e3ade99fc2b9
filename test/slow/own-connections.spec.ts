import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { storeRecords } from '../support/store-records.js';

const POOL_SIZE = 4;
const EVERYTHING = { query: { clauses: [{ eventType: 'birth' }] } };

let service: RunningApplication;
let token: string;

beforeAll(async () => {
  service = await startApplication({ env: { DATABASE_POOL_SIZE: String(POOL_SIZE), SEARCH_TIMEOUT_SECONDS: '100' } });
  token = await service.issuer.token();
  await storeRecords(service.database.database, [aRecord()]);
}, 120_000);
afterAll(() => service.stop());

const waitingSearches = async (): Promise<number> => {
  const [row] = await service.database.database.query<{ waiting: number }>(sql`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'`);
  return row?.waiting ?? 0;
};

/** Every connection of the pool waits for a lock while `work` is done, and searches wait for a connection. */
const whileThePoolIsTaken = async (work: () => Promise<void>): Promise<void> => {
  const searches = await service.database.database.transaction(async (transaction) => {
    await transaction.query(sql`lock table event_search, event_document in access exclusive mode`);
    const begun = Array.from({ length: 3 * POOL_SIZE }, () =>
      service.request('POST', '/events/search', { token, body: EVERYTHING }),
    );
    await eventually('every connection waits', async () => (await waitingSearches()) >= POOL_SIZE);
    await work();
    return begun;
  });
  for (const { status } of await Promise.all(searches)) expect(status).toBe(200);
};

/** The answer, when it comes while a search would still wait. */
const soon = <T>(answer: Promise<T>): Promise<T | 'not soon'> =>
  Promise.race([answer, sleep(60_000, 'not soon' as const, { ref: false })]);

describe('while searches have every connection of the pool', () => {
  it('the process is ready', async () => {
    await whileThePoolIsTaken(async () => {
      expect(await soon(service.request('GET', '/health/ready'))).toMatchObject({ status: 200 });
    });
  });

  it('a client gets its token, and whoever is none is told so', async () => {
    const { clientId, clientSecret } = await service.registerClient('HEALTH');
    const ask = (secret: string) =>
      service.request('POST', '/token', {
        body: { client_id: clientId, client_secret: secret, grant_type: 'client_credentials' },
      });
    await whileThePoolIsTaken(async () => {
      expect(await soon(ask(clientSecret))).toMatchObject({ status: 200 });
      expect(await soon(ask('another'))).toMatchObject({ status: 401 });
    });
  });
});
