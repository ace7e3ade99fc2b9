import { prepareDatabase } from '../../src/platform/database/schema/prepare-database.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { reindex } from '../../src/events/reindex/reindex.js';
import { administer, createTestDatabase, nameOf } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

/** The names of the indexes of `event_search` before and after a reindex where `schema` is the current one. */
async function indexesAfterReindex(schema: string): Promise<readonly [readonly string[], readonly string[]]> {
  const test = await createTestDatabase({ migrated: false });
  try {
    await administer(`alter database ${nameOf(test)} set search_path = "${schema}"`);
    await test.dataSource.destroy();
    await test.dataSource.initialize();
    await test.dataSource.query(`create schema if not exists "${schema}"`);
    await prepareDatabase(test.url, { DATABASE_MIGRATION_URL: undefined, AUDIT_RETENTION_MONTHS: 0 });
    await test.dataSource.query(`create index "Own-Index of ""us""" on event_search (created_by)`);
    await test.dataSource.query(`create index "Own-Index of ""us""_next" on event_search (created_by)`);
    await test.dataSource.query(`create index "${'long'.repeat(16).slice(0, 63)}" on event_search (created_by)`);
    const indexes = async (): Promise<readonly string[]> => {
      const rows = await test.dataSource.query<readonly { readonly name: string }[]>(
        `select indexrelid::regclass::text as name from pg_index where indrelid = 'event_search'::regclass order by 1`,
      );
      return rows.map(({ name }) => name);
    };
    const before = await indexes();
    await reindex(test.database, WITHOUT_FORMS);
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
    return [before, await indexes()];
  } finally {
    await test.drop();
  }
}

describe('a reindex', () => {
  it('makes indexes again whose names need quotes, are as long as a name may be, or that of another and `_next`', async () => {
    const [before, after] = await indexesAfterReindex('public');
    expect(after).toEqual(before);
  });

  it('is done in a schema whose name needs quotes', async () => {
    const [before, after] = await indexesAfterReindex('Register of 2026');
    expect(after).toEqual(before);
  });
});
