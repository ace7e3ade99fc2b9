import { setTimeout as sleep } from 'node:timers/promises';

import { exportAudit } from '../../src/audit/export-audit.js';
import { checkDerived } from '../../src/reindex/check/check-derived.js';
import { exportRecords } from '../../src/search/answer/export-records.js';
import { sql } from '../../src/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import type { TestDatabase } from '../support/postgres.js';
import { administer, createTestDatabase, nameOf } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const WAIT_MS = 600;

describe('on a server that ends transactions that are idle', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    await storeRecords(test.database, [aRecord(), aRecord()]);
    await test.database.query(sql`
      insert into audit_log (id, client_id, client_type, operation, request_data, response_summary)
      values (gen_random_uuid(), 'cli', 'user', 'keys.rotate', '{}', '{}')`);
    // For sessions that begin from here on.
    await administer(
      `alter database ${nameOf(test)} set idle_in_transaction_session_timeout = '200ms'`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(test)}'`,
    );
    await sleep(100);
  });

  afterAll(() => test.drop());

  it('an export of the audit log waits for who takes it', async () => {
    expect(await exportAudit(test.database, {}, () => sleep(WAIT_MS))).toBe(1);
  });

  it('an export of records waits for who takes it', async () => {
    const found: string[] = [];
    const statement = sql`select id, body from event_search join event_document using (seq)`;
    await exportRecords(
      test.database,
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
    expect(await checkDerived(test.database, WITHOUT_FORMS, block)).toEqual({ events: 2, differences: [] });
  });
});
