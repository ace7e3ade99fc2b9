import { AuditLog } from '../../src/audit/audit-log.js';
import { AuditWriter } from '../../src/audit/audit-writer.js';
import { AuditDatabase } from '../../src/database/pools/audit-database.js';
import type { Uuid } from '../../src/domain/uuid.js';
import type { ConfirmationPage } from '../../src/intake/confirmation/log/confirmation-log.js';
import { ConfirmationLog } from '../../src/intake/confirmation/log/confirmation-log.js';
import { ConfirmationsQueryDto } from '../../src/intake/confirmation/log/confirmations.dto.js';
import { ConfirmationOutbox } from '../../src/intake/confirmation/outgoing/confirmation-outbox.js';
import { sql } from '../../src/sql/sql.js';
import { readDto } from '../../src/access/dto/read-dto.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

let test: TestDatabase;
let outbox: ConfirmationOutbox;
let log: ConfirmationLog;
beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const audit = new AuditLog(new AuditWriter(new AuditDatabase(database.primary)));
  outbox = new ConfirmationOutbox(database);
  log = new ConfirmationLog(database, audit, outbox);
});
afterAll(async () => {
  await outbox.onModuleDestroy();
  await test.drop();
});
beforeEach(() => test.database.query(sql`delete from confirmation`));

const page = async (query: object): Promise<ConfirmationPage> => log.page(await readDto(ConfirmationsQueryDto, query));

/** So many dead confirmations with so many attempts of so many characters each. */
async function confirmations(count: number, attempts: number, characters: number): Promise<void> {
  await test.database.query(sql`
    with requested as (
      insert into confirmation (action_id, event_id, event_type, action_type, correlation_id, status)
      select gen_random_uuid(), gen_random_uuid(), 'birth', 'REGISTER', 'request', 'dead'
        from generate_series(1, ${count}::int)
      returning action_id)
    insert into confirmation_attempt (action_id, at, duration_ms, status, response)
    select action_id, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', n, 500,
           repeat('x', ${characters}::int)
      from requested, generate_series(1, ${attempts}::int) as n`);
}

describe('a page of confirmations', () => {
  it('has as many as are asked for where their attempts are short, each with its latest ones', async () => {
    await confirmations(120, 25, 10);
    const first = await page({ limit: 70 });
    expect(first.confirmations.map(({ attempts }) => attempts.map(({ durationMs }) => durationMs))).toEqual(
      Array.from({ length: 70 }, () => Array.from({ length: 20 }, (_, at) => at + 6)),
    );
    const second = await page({ limit: 70, cursor: first.cursor });
    expect([second.confirmations.length, second.cursor]).toEqual([50, null]);
  });

  it('is at most 2 MiB of attempts, so that it may have fewer than are asked for (Q-1)', async () => {
    await confirmations(100, 20, 4_000);
    const ids: Uuid[] = [];
    const pages: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { confirmations: found, cursor: next } = await page({ limit: 1_000, ...(cursor && { cursor }) });
      expect(JSON.stringify(found).length).toBeLessThan(2_200_000);
      pages.push(found.length);
      ids.push(...found.map(({ actionId }) => actionId));
      cursor = next;
    }
    expect(new Set(ids).size).toBe(100);
    expect(pages).toEqual([25, 25, 25, 25]);
  });

  it('has one at least', async () => {
    await confirmations(2, 20, 200_000);
    const { confirmations: found, cursor } = await page({ limit: 10 });
    expect([found.length, cursor === null]).toEqual([1, false]);
  });
});

describe('a replay of confirmations', () => {
  it('forgets all but the latest 100 attempts of each, and says how many there are', async () => {
    await confirmations(3, 120, 10);
    expect(await log.replay({ status: 'dead' }, { clientId: 'cli', clientType: 'user' })).toBe(3);
    const left = await test.database.query(sql`
      select c.status, count(*)::int as attempts, min(duration_ms) as oldest
        from confirmation c join confirmation_attempt using (action_id) group by action_id`);
    expect(left).toEqual(Array.from({ length: 3 }, () => ({ status: 'pending', attempts: 100, oldest: 21 })));
  });
});
