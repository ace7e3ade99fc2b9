import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../src/kernel/domain/scopes/caller.js';
import { type AuditEntry, auditRow, writeRows } from '../../src/platform/audit/audit-entry.js';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { AuditWriter } from '../../src/platform/audit/audit-writer.js';
import { type AuditFilter, exportAudit } from '../../src/platform/audit/export-audit.js';
import { AuditDatabase } from '../../src/platform/database/pools/pools.js';
import { toInstant } from '../../src/kernel/domain/calendar.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { auditPartitions, lockAuditLog } from '../support/audit-table.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const CLIENT = aUuid(0xc1);

let test: TestDatabase;
let database: AuditDatabase;
let writer: AuditWriter;
let log: AuditLog;

beforeEach(async () => {
  test = await createTestDatabase();
  database = new AuditDatabase(test.database.primary);
  writer = new AuditWriter(database);
  log = new AuditLog(writer);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await writer.onModuleDestroy();
  await test.drop();
});

const aSearch = (of: Partial<AuditEntry> = {}): AuditEntry => ({
  clientId: CLIENT,
  clientType: 'system',
  operation: 'event.search',
  requestData: { query: { clauses: [{ id: CLIENT }] } },
  responseSummary: { total: 1, eventIds: [CLIENT] },
  ...of,
});

async function entries(filter: AuditFilter = {}): Promise<(AuditEntry & { id: string; createdAt: string })[]> {
  let text = '';
  const count = await exportAudit(test.database, filter, (lines) => {
    text += lines;
    return Promise.resolve();
  });
  const found = text.split('\n').slice(0, -1);
  expect(found).toHaveLength(count);
  return found.map((line) => JSON.parse(line) as AuditEntry & { id: string; createdAt: string });
}

const written = async (count: number): Promise<void> =>
  eventually(`${count} rows`, async () => (await entries()).length >= count);

describe('what no transaction writes', () => {
  it('is written soon after it was noted, as it was noted', async () => {
    const hostile = { query: { 'a"\\\u2028': 'Łukasz\n\u0001 null', nested: [[1.5, null, true]] } };
    log.note(aSearch());
    log.note(aSearch({ requestData: hostile, responseSummary: null }));
    await written(2);
    const [first, second] = await entries();
    expect(first).toEqual({
      ...aSearch(),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    expect(second).toMatchObject({ requestData: hostile, responseSummary: null });
  });

  it('keeps at most 8,192 bytes of a request, which end with a whole character, with its length and hash (S-16)', async () => {
    const fits = { n: 'x'.repeat(8_192 - '{"n":""}'.length) };
    const long = { n: `x${'é'.repeat(500_000)}` };
    const text = JSON.stringify(long);
    for (const requestData of [fits, long]) log.note(aSearch({ requestData }));
    await written(2);
    expect((await entries()).map(({ requestData }) => requestData)).toEqual([
      fits,
      {
        cut: text.slice(0, '{"n":"x'.length + (8_192 - 8) / 2),
        bytes: Buffer.byteLength(text),
        sha256: createHash('sha256').update(text).digest('hex'),
      },
    ]);
  });

  it('is written together, a statement for what waits', async () => {
    const transactions = jest.spyOn(database, 'transaction');
    for (let at = 0; at < 2_500; at += 1) log.note(aSearch({ requestData: { at } }));
    await written(2_500);
    expect(transactions).toHaveBeenCalledTimes(3);
    expect(
      (await entries()).map(({ requestData }) => (requestData as { at: number }).at).sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 2_500 }, (_, at) => at));
  });

  it('has the time at which it was noted, however long it waited', async () => {
    const waitedMs = 3_600_000;
    const databaseMs = async (): Promise<number> => {
      const [now] = await test.database.query<{ readonly at: Date }>(sql`select clock_timestamp() as at`);
      return now?.at.getTime() ?? NaN;
    };
    const beforeMs = await databaseMs();
    await writeRows(test.database, [auditRow(aSearch(), performance.now() - waitedMs)], { again: false });
    const tookMs = (await databaseMs()) - beforeMs;
    const [row] = await entries();
    const sinceMs = Date.parse(row?.createdAt ?? '') - (beforeMs - waitedMs);
    // As exactly as the statement can be seen from outside, and a millisecond that is rounded.
    expect([sinceMs >= -tookMs - 1, sinceMs <= tookMs + 1]).toEqual([true, true]);
  });

  it('is written before the process ends', async () => {
    log.note(aSearch());
    await writer.onModuleDestroy();
    expect(await entries()).toHaveLength(1);
  });

  it('waits while it cannot be written; after five seconds nothing more is admitted, until it is written', async () => {
    const blocker = await lockAuditLog(test);
    // Time passes only as the test says.
    let nowMs = Math.ceil(performance.now());
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    for (let at = 0; at < 20; at += 1) log.note(aSearch({ requestData: { at } }));
    await untilLocksAreAwaited(test.database, 1, 'relation');
    nowMs += 5_000;
    writer.admit();
    nowMs += 1;
    expect(refusal()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', refusal: 'audit-unwritten' });
    expect(() => {
      log.note(aSearch());
    }).toThrow(expect.objectContaining({ refusal: 'audit-unwritten' }) as Error);
    // Searches of administrators leave no row.
    expect(log.search(administrator, {})).toBeUndefined();
    expect(() => log.search(client, {})).toThrow('audit log');
    await blocker.end();
    await written(20);
    await eventually('an admission', () => refusal() === undefined);
    expect(await entries()).toHaveLength(20);
  });

  it('is written once, also when nobody learned that it was written', async () => {
    const transaction = database.transaction.bind(database);
    jest.spyOn(database, 'transaction').mockImplementationOnce(async (work) => {
      await transaction(work);
      throw new Error('Connection terminated unexpectedly');
    });
    log.note(aSearch());
    log.note(aSearch());
    await eventually('that nothing waits', () => writer.waitingCount === 0);
    expect(await entries()).toHaveLength(2);
    expect([writer.failed, writer.written]).toEqual([1, 2]);
  });

  it('has the partitions of a database that nobody has looked after for months', async () => {
    for (const partition of await auditPartitions(test)) await test.dataSource.query(`drop table ${partition}`);
    await writer.onModuleInit();
    log.note(aSearch());
    await written(1);
    expect(await auditPartitions(test)).toHaveLength(4);
  });

  it('keeps the first hundred ids of a search', async () => {
    const ids = Array.from({ length: 300 }, (_, at) => aUuid(at + 1));
    log.search(client, { query: {} })?.(1_234, ids);
    await written(1);
    expect(await entries()).toMatchObject([
      { clientId: CLIENT, responseSummary: { total: 1_234, eventIds: ids.slice(0, 100) } },
    ]);
  });
});

describe('the audit log', () => {
  it('refuses every change of what is in it, in each of its partitions too', async () => {
    log.note(aSearch());
    await written(1);
    for (const table of ['audit_log', ...(await auditPartitions(test))]) {
      for (const change of [`update ${table} set client_id = 'x'`, `delete from ${table}`, `truncate ${table}`]) {
        await expect(test.dataSource.query(change)).rejects.toMatchObject({
          message: 'the audit log is append-only',
          code: '42501',
        });
      }
    }
    expect(await entries()).toHaveLength(1);
  });

  it('is exported by time and by who acted, the oldest first', async () => {
    const act = aSearch({ clientId: 'anna', clientType: 'user', operation: 'keys.rotate', requestData: {} });
    for (const entry of [aSearch(), act, aSearch({ clientId: aUuid(0xc2) })]) {
      await log.record(test.database, entry);
      await sleep(5);
    }
    const all = await entries();
    expect(all.map(({ clientId }) => clientId)).toEqual([CLIENT, 'anna', aUuid(0xc2)]);
    const second = toInstant(new Date(all[1]?.createdAt ?? ''));
    expect(await entries({ since: second })).toEqual(all.slice(1));
    expect(await entries({ until: second })).toEqual(all.slice(0, 1));
    expect(await entries({ actor: { clientId: 'anna', clientType: 'user' } })).toEqual([all[1]]);
    expect(await entries({ actor: { clientId: 'anna', clientType: 'system' } })).toEqual([]);
  });

  it('dates an act when it is recorded, and not when its transaction began', async () => {
    const clock = sql`select clock_timestamp() as at`;
    const recordedAt = await test.database.transaction(async (transaction) => {
      await sleep(50);
      const [now] = await transaction.query<{ readonly at: Date }>(clock);
      await log.record(transaction, aSearch());
      return now?.at.getTime() ?? Infinity;
    });
    const [row] = await entries();
    expect(Date.parse(row?.createdAt ?? '')).toBeGreaterThanOrEqual(recordedAt);
  });

  it('has the row of an act in its transaction, or neither', async () => {
    const act = test.database.transaction(async (transaction) => {
      await log.record(transaction, aSearch());
      throw new Error('the act failed');
    });
    await expect(act).rejects.toThrow('the act failed');
    expect(await entries()).toEqual([]);
  });
});

const client: Caller = { subject: CLIENT, userType: 'system', scopes: [], grants: [] };
const administrator: Caller = { ...client, subject: 'anna', userType: 'user' };

function refusal(): unknown {
  try {
    writer.admit();
    return undefined;
  } catch (error) {
    return error;
  }
}
