import { countMonths, upkeep } from '../../src/platform/audit/audit-upkeep.js';
import { type AuditPageRequest, AuditPages, statementOf } from '../../src/platform/audit/audit-pages.js';
import type { Instant } from '../../src/kernel/domain/calendar.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-05'] as const;
/** Of each month, for each of two clients. */
const ROWS = 500;

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
  for (const month of MONTHS) {
    const partition = `audit_log_${month.replace('-', '_')}`;
    await test.dataSource.query(
      `create table ${partition} partition of audit_log
         for values from ('${month}-01T00:00Z') to ('${nextMonth(month)}-01T00:00Z')`,
    );
    await rows(`${month}-02T00:00:00Z`, ROWS);
  }
  await test.dataSource.query('vacuum analyze audit_log');
});
afterEach(() => test.drop());

const nextMonth = (month: string): string => month.slice(0, 6) + String(Number(month.slice(6)) + 1);

/** So many rows of each of two clients, an hour apart. */
const rows = (from: string, count: number): Promise<unknown> =>
  test.database.query(sql`
    insert into audit_log (created_at, id, client_id, client_type, operation, request_data)
    select ${from}::timestamptz + n * interval '1 hour', gen_random_uuid(), client, 'system', 'event.search', '{}'
      from generate_series(0, ${count - 1}) n, (values ('one'), ('other')) c (client)`);

type Range = Pick<AuditPageRequest, 'timeStart' | 'timeEnd'>;

const RANGES: readonly Range[] = [
  {},
  { timeStart: '2026-01-10T00:00:00.000Z' as Instant },
  { timeStart: '2026-02-01T00:00:00.000Z' as Instant, timeEnd: '2026-02-28T23:59:59.999Z' as Instant },
  { timeStart: '2026-02-01T00:00:00.001Z' as Instant, timeEnd: '2026-03-31T23:59:59.998Z' as Instant },
  { timeEnd: '2026-05-05T00:00:00.000Z' as Instant },
  { timeStart: '2026-04-01T00:00:00.000Z' as Instant, timeEnd: '2026-04-02T00:00:00.000Z' as Instant },
];

const totalsOf = (clientId: string): Promise<number[]> =>
  Promise.all(
    RANGES.map(async (range) => {
      const { total } = await new AuditPages(test.database).read({ clientId, skip: 0, count: 1, ...range });
      return total;
    }),
  );

/** The same, row by row. */
const trueTotalsOf = (clientId: string): Promise<number[]> =>
  Promise.all(
    RANGES.map(async ({ timeStart = '-infinity', timeEnd = 'infinity' }) => {
      const [found] = await test.database.query<{ total: number }>(sql`
        select count(*)::int as total from audit_log
         where client_id = ${clientId} and date_trunc('milliseconds', created_at)
               between ${timeStart}::timestamptz and ${timeEnd}::timestamptz`);
      return found?.total ?? 0;
    }),
  );

const countedMonths = async (): Promise<string[]> => {
  const found = await test.database.query<{ month: string }>(sql`select month from audit_counted_month order by 1`);
  return found.map(({ month }) => month);
};

const NAMES = MONTHS.map((month) => `audit_log_${month.replace('-', '_')}`);

describe('the counts of the audit log', () => {
  it('are of the months that are over', async () => {
    await countMonths(test.database);
    expect(await countedMonths()).toEqual(NAMES);
    await countMonths(test.database);
    expect(await test.dataSource.query('select rows::int from audit_count')).toEqual(
      NAMES.flatMap(() => [ROWS, ROWS].map((count) => ({ rows: count }))),
    );
  });

  it('change no total, whatever part of the months is asked for', async () => {
    await test.dataSource.query(`insert into audit_log (id, client_id, client_type, operation, request_data)
      values (gen_random_uuid(), 'one', 'system', 'event.search', '{}')`);
    const before = await totalsOf('one');
    expect(before).toEqual(await trueTotalsOf('one'));
    expect(before[0]).toBe(MONTHS.length * ROWS + 1);
    await countMonths(test.database);
    expect(await totalsOf('one')).toEqual(before);
    expect(await totalsOf('nobody')).toEqual(RANGES.map(() => 0));
  });

  it('spare a page to read the months', async () => {
    await countMonths(test.database);
    const { text, params } = statementOf({ clientId: 'one', skip: 0, count: 10 }).toQuery();
    const plans = await test.dataSource.query<unknown>(`explain (analyze, format json) ${text}`, [...params]);
    const read: number[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const node = value as Record<string, unknown>;
      if (String(node['Relation Name']).startsWith('audit_log')) {
        read.push(Number(node['Actual Rows']) * Number(node['Actual Loops']));
      }
      Object.values(node).forEach(visit);
    };
    visit(plans);
    expect(read.length).toBeGreaterThan(MONTHS.length);
    expect(read.reduce((sum, one) => sum + one, 0)).toBeLessThan(100);
  });

  it('go with their month, whoever drops it', async () => {
    await countMonths(test.database);
    await test.dataSource.query('drop table audit_log_2026_02');
    await test.dataSource.query('update audit_retention set months = 1');
    await countMonths(test.database);
    expect(await countedMonths()).toEqual(NAMES.filter((name) => name !== 'audit_log_2026_02'));
    await upkeep(test.database);
    expect(await totalsOf('one')).toEqual(RANGES.map(() => 0));
  });
});
