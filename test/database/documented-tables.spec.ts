import { readFileSync } from 'node:fs';

import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('docs/architecture.md, Tables, has a row for each table, and for no other', async () => {
  const tables = await database.database.query<{ readonly name: string }>(
    sql`select relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const [, section = ''] = readFileSync('docs/architecture.md', 'utf8').split('\n## Tables\n');
  const rows = section.split('\n\n**')[0]?.split('\n') ?? [];
  const documented = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].flatMap(([, name]) => name ?? []),
  );
  expect(documented.sort()).toEqual(tables.map(({ name }) => name).sort());
});
