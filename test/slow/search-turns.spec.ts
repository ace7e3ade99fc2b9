import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { storeRecords } from '../support/store-records.js';

const TRACKING_ID = 'ABC123';
/** Many terms on any field: wide, however few records there are. */
const WIDE = { data: { type: 'anyOf', terms: Array.from({ length: 40 }, (_, at) => `no such text ${at}`) } };
const LOOK_UP = { query: { clauses: [{ trackingId: { type: 'exact', term: TRACKING_ID } }] }, limit: 0 };
/** Longer than a look-up takes on the slowest machine, and shorter than a wide search that cannot end. */
const LONG_MS = 60_000;

let service: RunningApplication;

beforeAll(async () => {
  service = await startApplication({ env: { DATABASE_POOL_SIZE: '4', SEARCH_TIMEOUT_SECONDS: '120' } });
  await storeRecords(service.database.database, [aRecord({ trackingId: TRACKING_ID })]);
}, 120_000);
afterAll(() => service.stop());

const tokenOf = (sub: string) => service.issuer.token({ sub });

const lookUp = async (client: string) => {
  const token = await tokenOf(client);
  const answer = service.request('POST', '/events/search', { token, body: LOOK_UP });
  return Promise.race([answer, sleep(LONG_MS, 'not answered' as const, { ref: false })]);
};

const wide = async (client: string) => {
  const token = await tokenOf(client);
  return service.request('POST', '/events/search', { token, body: { query: { clauses: [WIDE] } } });
};

/** What waits for the lock; `query` is how it begins: a search on the declaration with its snapshot. */
const LOCKED = sql`pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock' and query`;
const A_SEARCH = 'begin isolation level repeatable read%';

/** How many searches run and wait for the lock. */
async function running(): Promise<number> {
  const [row] = await service.database.database.query<{ waiting: number }>(
    sql`select count(*)::int as waiting from ${LOCKED} like ${A_SEARCH}`,
  );
  return row?.waiting ?? 0;
}

/**
 * Locks what a search on the declaration reads and a look-up does not, so that no such search ends while `work` is done.
 * Upkeep that waits for it would hold the connection that is to be left to others: it is cancelled.
 */
async function whileWideSearchesLast(work: () => Promise<void>): Promise<void> {
  const { database } = service.database;
  const ended = new AbortController();
  const sendUpkeepAway = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await database.query(sql`select pg_cancel_backend(pid) from ${LOCKED} not like ${A_SEARCH}`);
      await sleep(50);
    }
  };
  const sending = sendUpkeepAway();
  try {
    await database.transaction(async (transaction) => {
      await transaction.query(sql`lock table event_document in access exclusive mode`);
      await work();
    });
  } finally {
    ended.abort();
    await sending;
  }
}

const FOUND = { status: 200, json: { total: 1 } };

describe('wide searches over few records', () => {
  it('of one client leave a heavy turn, and connections, to others', async () => {
    let asked: Promise<{ status: number }>[] = [];
    await whileWideSearchesLast(async () => {
      asked = Array.from({ length: 6 }, () => wide('costly'));
      await eventually('two of them run', async () => (await running()) === 2);
      expect(await lookUp('other')).toMatchObject(FOUND);
      expect(await lookUp('costly')).toMatchObject(FOUND);
      asked.push(wide('other'));
      await eventually('that of another client runs beside them', async () => (await running()) === 3);
      expect(await lookUp('third')).toMatchObject(FOUND);
    });
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  }, 120_000);

  it('of several clients leave a connection to others', async () => {
    let asked: Promise<{ status: number }>[] = [];
    await whileWideSearchesLast(async () => {
      asked = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((client) => [wide(client), wide(client)]);
      await eventually('three of them run', async () => (await running()) === 3);
      expect(await lookUp('other')).toMatchObject(FOUND);
      expect(await running()).toBe(3);
    });
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  }, 120_000);
});
