import type { Instant } from '../../src/kernel/domain/calendar.js';
import { errorCode } from '../../src/kernel/errors/service-error.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type AuditPageRequest, readAuditPage, statementOf } from '../../src/platform/audit/audit-pages.js';
import { countMonths, upkeep } from '../../src/platform/audit/audit-writer.js';
import { auditPartitions, lockAuditLog } from '../support/audit-table.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { HANG_MS } from '../support/time-outs.js';

describe('counts of the audit log', () => {
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
        const { total } = await readAuditPage(test.database, { clientId, skip: 0, count: 1, ...range });
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
});

describe('partitions of the audit log', () => {
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
      expect(await auditPartitions(test)).toEqual([
        `audit_log_${monthAgo(2).slice(0, 7).replace('-', '_')}`,
        ...before,
      ]);
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
});

describe('pages of the audit log', () => {
  const ROWS = 20_000;
  /** Rows of one time, as those of one transaction. */
  const TOGETHER = 7;

  let database: TestDatabase;
  let all: { readonly id: string; readonly at: Instant }[];
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.database.query(sql`
    insert into audit_log (created_at, id, client_id, client_type, operation, request_data)
    select date_trunc('month', now()) + (n / ${TOGETHER}) * interval '1 second', gen_random_uuid(),
           case when n % 2 = 0 then 'one' else 'other' end, 'system', 'event.search', json_build_object('n', n)
      from generate_series(1, ${ROWS}) n`);
    await database.database.query(sql`vacuum analyze audit_log`);
    all = await database.database.query(sql`
    select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from audit_log where client_id = 'one' order by created_at desc, id desc`);
  });
  afterAll(() => database.drop());

  const read = async (request: Omit<AuditPageRequest, 'clientId'>) => {
    const { results, total } = await readAuditPage(database.database, { clientId: 'one', ...request });
    return { ids: results.map((entry) => (entry as { id: string }).id), total };
  };

  describe('readAuditPage', () => {
    it.each([0, 1, 3, 7, 500, ROWS / 2 - 5, ROWS / 2])('skips %i rows, also in the midst of one time', async (skip) => {
      expect(await read({ skip, count: 10 })).toEqual({
        ids: all.slice(skip, skip + 10).map(({ id }) => id),
        total: ROWS / 2,
      });
    });

    it('has fewer rows where they are large, and goes on after as many as it has', async () => {
      await database.database.query(sql`
      insert into audit_log (created_at, id, client_id, client_type, operation, request_data)
      select now() - n * interval '1 second', gen_random_uuid(), 'large', 'system', 'event.search',
             json_build_object('n', repeat('x', 900000 * (1 + n / 4 * 3)))
        from generate_series(1, 5) n`);
      const pages: number[] = [];
      for (let skip = 0; skip < 5; skip += pages.at(-1) ?? 0) {
        const { results, total } = await readAuditPage(database.database, {
          clientId: 'large',
          skip,
          count: 100,
        });
        expect(total).toBe(5);
        pages.push(results.length);
      }
      expect(pages).toEqual([2, 1, 1, 1]);
    });

    it('counts and shows a time from its first to its last row, both included', async () => {
      const [newest, oldest] = [all[100]?.at, all[300]?.at];
      const within = all.filter(
        ({ at }) => newest !== undefined && oldest !== undefined && at <= newest && at >= oldest,
      );
      expect(await read({ skip: 2, count: 5, timeStart: oldest, timeEnd: newest })).toEqual({
        ids: within.slice(2, 7).map(({ id }) => id),
        total: within.length,
      });
    });

    it('reads rows for the page alone: what it counts and skips is in the index', async () => {
      const { text, params } = statementOf({ clientId: 'one', skip: 9_000, count: 10 }).toQuery();
      const [{ plan }] = (await database.dataSource
        .query(`explain (analyze, format json) ${text}`, [...params])
        .then((rows: { 'QUERY PLAN': unknown }[]) => rows.map((row) => ({ plan: row['QUERY PLAN'] })))) as [
        { plan: unknown },
      ];
      const nodes: Record<string, unknown>[] = [];
      const visit = (value: unknown): void => {
        if (typeof value !== 'object' || value === null) return;
        if ('Node Type' in value) nodes.push(value);
        Object.values(value).forEach(visit);
      };
      visit(plan);
      const onRows = nodes.filter((node) =>
        ['Seq Scan', 'Index Scan', 'Bitmap Heap Scan'].includes(String(node['Node Type'])),
      );
      const mostRead = Math.max(0, ...onRows.map((node) => Number(node['Actual Rows']) * Number(node['Actual Loops'])));
      expect(mostRead).toBeLessThan(50);
      expect(nodes.filter((node) => node['Node Type'] === 'Index Only Scan').length).toBeGreaterThan(2);
    });
  });
});
