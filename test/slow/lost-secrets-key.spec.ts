import { readFileSync } from 'node:fs';

import { sql } from '../../src/kernel/sql/sql.js';
import { startApplication } from '../support/application.js';
import { aSecretsKey, matricula, succeed } from '../support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { LONG_TEST_MS } from '../support/time-outs.js';

jest.setTimeout(LONG_TEST_MS);

let database: TestDatabase;
let beside: TestDatabase;
beforeAll(async () => {
  [database, beside] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(async () => {
  await Promise.all([database.drop(), beside.drop()]);
});

/** The tables and the statements of docs/how-to/runbook.md, which copies the rows with `pg_dump` and `psql`. */
function procedure(): { readonly tables: readonly string[]; readonly remove: string } {
  const [, section = ''] = readFileSync('docs/how-to/runbook.md', 'utf8').split('## A lost `SECRETS_KEY`');
  const [block = ''] = section.split('\n## ');
  const remove = /psql .* -c '([^']+)' -f keys\.sql/.exec(block)?.[1] ?? '';
  return { tables: [...block.matchAll(/ -t (\w+)/g)].flatMap(([, table]) => table ?? []), remove };
}

it('leaves a database that goes on under a new key, with new secrets for its clients', async () => {
  const DATABASE_URL = database.url;
  const lost = { SECRETS_KEY: aSecretsKey(), DATABASE_URL };
  const found = { SECRETS_KEY: aSecretsKey(), DATABASE_URL };
  const { client_id: id } = JSON.parse(await succeed(['clients', 'register', '--as', 'HEALTH', '--json'], lost)) as {
    client_id: string;
  };
  const refused = await matricula(['clients', 'list'], found);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('SECRETS_KEY is not the one')]);

  const { tables, remove } = procedure();
  expect(tables).toEqual(['signing_key', 'kept_key']);
  await succeed(['clients', 'list'], { ...found, DATABASE_URL: beside.url });
  await database.dataSource.query(remove);
  for (const table of tables) {
    const rows: unknown = await beside.dataSource.query(`select * from ${table}`);
    await database.dataSource.query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
      [JSON.stringify(rows)],
    );
  }

  const service = await startApplication({ database, env: { SECRETS_KEY: found.SECRETS_KEY } });
  try {
    const token = (await succeed(['token', '--role', 'national-system-admin'], found)).trim();
    const fresh = await service.request('POST', `/integrations/${id}/refresh-secret`, { token });
    const { clientSecret } = fresh.json as { clientSecret: string };
    await succeed(['clients', 'rotate-sha-secret', id], found);
    const body = { client_id: id, client_secret: clientSecret, grant_type: 'client_credentials' };
    expect((await service.request('POST', '/token', { body })).status).toBe(200);
    const [left] = await database.database.query<{ readonly keys: number }>(
      sql`select count(distinct split_part(sha_secret_sealed, '.', 2))::int as keys from system_client`,
    );
    expect(left).toEqual({ keys: 1 });
  } finally {
    await service.stop();
  }
});
