import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { exportAudit } from '../../src/platform/audit/export-audit.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import type { SearchRequest } from '../../src/kernel/domain/search-request.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { exportRecords, streamPage } from '../../src/events/search/answer/stream-page.js';
import { planOf } from '../../src/events/search/plan/plan.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { administer, createTestDatabase, nameOf, type TestDatabase } from '../support/postgres.js';
import { knownOf } from '../support/reference/near-words.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const WAIT_MS = 1_200;
const CONTEXT = { now: new Date(0), timezone: 'UTC', below: () => [], ...knownOf([]) };

describe('on a server that ends transactions that are idle, or that take long where it can', () => {
  let test: TestDatabase;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    await storeRecords(test.database, [aRecord(), aRecord()]);
    await test.database.query(sql`
      insert into audit_log (id, client_id, client_type, operation, request_data, response_summary)
      values (gen_random_uuid(), 'cli', 'user', 'keys.rotate', '{}', '{}')`);
    // For sessions that begin from here on.
    await administer(`alter database ${nameOf(test)} set idle_in_transaction_session_timeout = '500ms'`);
    const knows = await test.database.query(sql`select where current_setting('transaction_timeout', true) is not null`);
    // From PostgreSQL 17 on.
    if (knows.length > 0) await administer(`alter database ${nameOf(test)} set transaction_timeout = '500ms'`);
    source = await createDataSource(test.url, 4).initialize();
    database = new Database(source);
  });

  afterAll(async () => {
    await source.destroy();
    await test.drop();
  });

  it('an export of the audit log waits for who takes it', async () => {
    expect(await exportAudit(database, {}, () => sleep(WAIT_MS))).toBe(1);
  });

  it('an export of records waits for who takes it', async () => {
    const found: string[] = [];
    const statement = sql`select id, body from event_search join event_document using (seq)`;
    await exportRecords(
      database,
      () => Promise.resolve({ statement, shown: undefined }),
      async (bodies) => {
        found.push(...bodies);
        await sleep(WAIT_MS);
      },
    );
    expect(found).toHaveLength(2);
  });

  it('a check of what is derived has the time that it takes', async () => {
    const block = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    expect(await checkDerived(database, WITHOUT_FORMS, block)).toEqual({ events: 2, differences: [] });
  });

  it('a page that is sent while it is read waits for who takes it', async () => {
    const request: SearchRequest = {
      query: { kind: 'and', clauses: [{ kind: 'expression', conditions: [] }] },
      ...{ sort: [], limit: 10, offset: 0 },
    };
    const plan = planOf(compileSearch(request, 'everything', CONTEXT), UNKNOWN_CARDINALITIES);
    const taken: number[] = [];
    await streamPage(
      database,
      () => Promise.resolve(plan),
      async ({ total }, parts) => {
        await sleep(WAIT_MS);
        for await (const bodies of parts) taken.push(total, bodies.length);
      },
      new AbortController().signal,
    );
    expect(taken).toEqual([2, 2]);
  });
});
