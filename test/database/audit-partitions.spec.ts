import { upkeep } from '../../src/platform/audit/audit-upkeep.js';
import { errorCode } from '../../src/kernel/errors/service-error.js';
import { auditPartitions, lockAuditLog } from '../support/audit-table.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { HANG_MS } from '../support/time-outs.js';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

const aPartition = (name: string, from: string, to: string): Promise<unknown> =>
  test.dataSource.query(
    `create table audit_log_${name} partition of audit_log for values from ('${from}T00:00:00Z') to ('${to}T00:00:00Z')`,
  );

const LOCK_NOT_AVAILABLE = '55P03';

describe('the audit log', () => {
  it('has partitions for this month and the next three, as often as it is looked after', async () => {
    // Those of the schema are of the month in which the tests began.
    for (const partition of await auditPartitions(test)) await test.dataSource.query(`drop table ${partition}`);
    // Whoever waits half a second for the other, as on a slow machine, leaves it to him.
    const unlessWaiting = (error: unknown): void => {
      if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
    };
    await Promise.all([1, 2].map(() => upkeep(test.database).catch(unlessWaiting)));
    const months = Array.from({ length: 4 }, (_, ahead) => {
      const now = new Date();
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 7);
    });
    expect(await auditPartitions(test)).toEqual(months.map((month) => `audit_log_${month.replace('-', '_')}`));
  });

  it('keeps everything for ever, unless it is told how many months', async () => {
    await upkeep(test.database);
    const before = await auditPartitions(test);
    await aPartition('2020_01', '2020-01-01', '2020-02-01');
    await upkeep(test.database);
    expect(await auditPartitions(test)).toEqual(['audit_log_2020_01', ...before]);
  });

  it('drops the months that are over for longer than it keeps them, and the others not', async () => {
    await upkeep(test.database);
    const before = await auditPartitions(test);
    await aPartition('2020_01', '2020-01-01', '2020-02-01');
    const now = new Date();
    const monthAgo = (ago: number): string =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 10);
    for (const ago of [2, 3]) {
      await aPartition(monthAgo(ago).slice(0, 7).replace('-', '_'), monthAgo(ago), monthAgo(ago - 1));
    }
    await test.dataSource.query('update audit_retention set months = 2');
    await upkeep(test.database);
    expect(await auditPartitions(test)).toEqual([`audit_log_${monthAgo(2).slice(0, 7).replace('-', '_')}`, ...before]);
  });

  it('waits for nobody who reads a month that is to be dropped: later is soon enough', async () => {
    await aPartition('2020_01', '2020-01-01', '2020-02-01');
    await test.dataSource.query('update audit_retention set months = 1');
    const reader = await lockAuditLog(test, 'access share');
    const beganMs = performance.now();
    await upkeep(test.database);
    expect(performance.now() - beganMs).toBeLessThan(HANG_MS);
    expect(await auditPartitions(test)).toContain('audit_log_2020_01');
    await reader.end();
    await upkeep(test.database);
    expect(await auditPartitions(test)).not.toContain('audit_log_2020_01');
  });

  it('holds up writers once while somebody reads, however many months are to be dropped', async () => {
    const first = (month: number): string => new Date(Date.UTC(2018, month)).toISOString().slice(0, 10);
    for (let month = 0; month < 24; month += 1) {
      await aPartition(first(month).slice(0, 7).replace('-', '_'), first(month), first(month + 1));
    }
    await test.dataSource.query('update audit_retention set months = 1');
    const reader = await lockAuditLog(test, 'access share');
    const beganMs = performance.now();
    await upkeep(test.database);
    // Half a second for the first of them; with as much for each it would be twelve.
    expect(performance.now() - beganMs).toBeLessThan(8_000);
    await reader.end();
    await upkeep(test.database);
    expect((await auditPartitions(test)).filter((name) => name < 'audit_log_2021')).toEqual([]);
    expect(await test.dataSource.query('show lock_timeout')).toEqual([{ lock_timeout: '0' }]);
  });
});
