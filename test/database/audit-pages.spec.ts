import { type AuditPageRequest, AuditPages, statementOf } from '../../src/platform/audit/audit-pages.js';
import type { Instant } from '../../src/kernel/domain/calendar.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

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
  const { results, total } = await new AuditPages(database.database).read({ clientId: 'one', ...request });
  return { ids: results.map((entry) => (entry as { id: string }).id), total };
};

describe('AuditPages', () => {
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
      const { results, total } = await new AuditPages(database.database).read({ clientId: 'large', skip, count: 100 });
      expect(total).toBe(5);
      pages.push(results.length);
    }
    expect(pages).toEqual([2, 1, 1, 1]);
  });

  it('counts and shows a time from its first to its last row, both included', async () => {
    const [newest, oldest] = [all[100]?.at, all[300]?.at];
    const within = all.filter(({ at }) => newest !== undefined && oldest !== undefined && at <= newest && at >= oldest);
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
