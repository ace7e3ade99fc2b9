import type { Explanation } from '../../src/events/search/search-explanation.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { expectRefused } from '../support/expect-refused.js';
import { storeRecords } from '../support/store-records.js';

const DEATHS = {
  query: { clauses: [{ eventType: 'death', data: { 'deceased.name': { type: 'fuzzy', term: 'Banda' } } }] },
};

/** A busy machine takes less than half of it for a request to arrive. */
const SEARCH_SECONDS = 15;

let service: RunningApplication;
let administrator: string;

beforeAll(async () => {
  service = await startApplication({
    env: { SEARCH_TIMEOUT_SECONDS: String(SEARCH_SECONDS), SEARCH_HEAVY_AT_ONCE: '1' },
  });
  administrator = await service.issuer.token({ sub: 'admin', scope: ['sysadmin'] });
  const declaration = { 'deceased.name': { firstname: 'Thandiwe', surname: 'Banda' } };
  await storeRecords(service.database.database, [
    aRecord({ type: 'death', declaration }),
    aRecord({ type: 'birth', declaration }),
  ]);
});
afterAll(() => service.stop());

const explain = (token: string, body: object, listener: 'public' | 'internal' = 'internal') =>
  service.request('POST', '/events/search/explain', { token, body, listener });

describe('the explanation of a search', () => {
  it('tells an administrator the clauses, the plan, each statement, and what Postgres made of it', async () => {
    const { status, json } = await explain(administrator, DEATHS);
    const { ms, statements, ...explanation } = json as Explanation;
    expect({ status, ...explanation }).toEqual({
      status: 200,
      total: 1,
      plan: {
        kind: 'single-statement',
        why: expect.stringContaining('one statement') as string,
        estimate: 0,
        heavy: false,
      },
      query: {
        kind: 'and',
        estimate: 0,
        clauses: [
          {
            kind: 'expression',
            estimate: 0,
            conditions: [
              {
                condition: { on: 'text', field: 'eventType', terms: ['death'] },
                estimate: 0,
                findable: true,
                readsDocuments: false,
              },
              {
                condition: {
                  on: 'data',
                  members: [{ key: 'deceased.name', input: { type: 'fuzzy', term: 'Banda' } }],
                },
                estimate: 0,
                findable: true,
                readsDocuments: false,
                words: [{ word: 'banda', near: [{ word: 'banda', edits: 0 }] }],
              },
            ],
          },
        ],
      },
    });
    expect([ms.read, ms.compile, ms.run].every((time) => time > 0)).toBe(true);
    expect(statements).toEqual([
      {
        sql: expect.stringContaining('with matched as materialized') as string,
        parameters: expect.arrayContaining(['death']) as unknown[],
        rows: 1,
        ms: expect.any(Number) as number,
        plan: [expect.objectContaining({ Plan: expect.any(Object) as object })],
      },
    ]);
  });

  it('refuses a body as a search does', async () => {
    const { status, json } = await explain(administrator, { query: { clauses: [{ eventTyp: 'death' }] } });
    expect({ status, json }).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } });
  });

  it('is for administrators, on the internal port', async () => {
    const client = await service.registerClient('RECORD_SEARCH');
    expect((await explain(client.token, DEATHS)).status).toBe(403);
    expect((await explain(administrator, DEATHS, 'public')).status).toBe(404);
  });

  it('has the time of a search, and waits for its turn as a heavy one does', async () => {
    const tokenOf = (sub: string) => service.issuer.token({ sub });
    /** How many statements wait for the lock. */
    const running = async () => {
      const [row] = await service.database.database.query<{ waiting: number }>(sql`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'`);
      return row?.waiting;
    };
    await service.database.database.transaction(async (transaction) => {
      await transaction.query(sql`lock table event_document in access exclusive mode`);
      const first = explain(await tokenOf('first'), DEATHS);
      await eventually('it runs', async () => (await running()) === 1);
      const second = explain(await tokenOf('second'), DEATHS);
      expect(await second).toMatchObject({
        status: 503,
        json: { message: expect.stringContaining('for its turn, and was given up') as string },
      });
      expect(await first).toMatchObject({
        status: 503,
        json: { message: expect.stringContaining(`was not done within ${SEARCH_SECONDS} s`) as string },
      });
      await eventually('PostgreSQL works on neither', async () => (await running()) === 0);
    });
    await expectRefused(service, 'no-turn', 'second');
    await expectRefused(service, 'search-timeout', 'first');
    expect((await explain(administrator, DEATHS)).status).toBe(200);
  });
});
