import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { ADVISORY_LOCKS } from '../../src/platform/database/connection/advisory-locks.js';
import { createDataSource, MIGRATIONS } from '../../src/platform/database/schema/data-source.js';
import { migrate, prepareDatabase } from '../../src/platform/database/schema/prepare-database.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { HANG_MS } from '../support/time-outs.js';

const names = MIGRATIONS.map((migration) => migration.name);

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase({ migrated: false });
});
afterEach(() => test.drop());

describe('migrations', () => {
  it('yield the same schema after going up, down and up again', async () => {
    expect(await migrate(test.dataSource)).toEqual(names);
    const first = await schemaOf(test.dataSource);
    expect(first.length).toBeGreaterThan(50);

    for (let undone = 0; undone < names.length; undone += 1)
      await test.dataSource.undoLastMigration({ transaction: 'all' });
    expect(await schemaOf(test.dataSource)).toEqual(await emptySchema());

    expect(await migrate(test.dataSource)).toEqual(names);
    expect(await schemaOf(test.dataSource)).toEqual(first);
  });

  it('run once, when ten processes begin at the same time', async () => {
    const sources = await Promise.all(Array.from({ length: 10 }, () => createDataSource(test.url, 2).initialize()));
    const ran = await Promise.all(sources.map((source) => migrate(source)));
    await Promise.all(sources.map((source) => source.destroy()));
    expect(ran.flat()).toEqual(names);
    expect(ran.filter((one) => one.length > 0)).toHaveLength(1);
  });

  it('do nothing to a schema that is up to date', async () => {
    await migrate(test.dataSource);
    expect(await migrate(test.dataSource)).toEqual([]);
  });

  it('need no more than one connection', async () => {
    const narrow = await createDataSource(test.url, 1).initialize();
    try {
      expect(await migrate(narrow)).toEqual(names);
    } finally {
      await narrow.destroy();
    }
  });

  it('hold nobody up while they wait for a table that is in use, and go on once it is free (P-7)', async () => {
    await migrate(test.dataSource);
    const limits = new Set<string>();
    class ChangesEvents implements MigrationInterface {
      name = 'ChangesEvents1999999999999';
      async up(runner: QueryRunner): Promise<void> {
        limits.add(String(((await runner.query('show lock_timeout')) as { lock_timeout: string }[])[0]?.lock_timeout));
        await runner.query('alter table event add column changed int');
      }
      async down(runner: QueryRunner): Promise<void> {
        await runner.query('alter table event drop column changed');
      }
    }
    const source = await createDataSource(test.url, 2)
      .setOptions({ migrations: [...MIGRATIONS, ChangesEvents] })
      .initialize();
    const waits: string[] = [];
    try {
      // As `pg_dump` does from its beginning to its end.
      const migrating = await test.database.transaction(async (transaction) => {
        await transaction.query(sql`lock table event in access share mode`);
        const begun = migrate(source, () => waits.push('once'));
        let longestMs = 0;
        for (let search = 0; search < 40 || waits.length === 0; search += 1) {
          const began = performance.now();
          await test.database.query(sql`select from event limit 1`);
          longestMs = Math.max(longestMs, performance.now() - began);
          await sleep(100);
        }
        // As long as the migration waits, and what a busy machine adds.
        expect(longestMs).toBeLessThan(HANG_MS);
        expect([...limits]).toEqual(['500ms']);
        expect(waits).toEqual(['once']);
        return { begun };
      });
      await expect(migrating.begun).resolves.toEqual(['ChangesEvents1999999999999']);
      await expect(source.query('show lock_timeout')).resolves.toEqual([{ lock_timeout: '0' }]);
    } finally {
      await source.destroy();
    }
  });

  it('say that another process keeps them waiting, which may have hung', async () => {
    await migrate(test.dataSource);
    const waits: string[] = [];
    const other = new pg.Client(test.url);
    await other.connect();
    try {
      await other.query(`select pg_advisory_lock(${ADVISORY_LOCKS.migration})`);
      const migrating = migrate(test.dataSource, () => waits.push('once'));
      await eventually('it says so', () => waits.length > 0);
      await other.query('select pg_advisory_unlock_all()');
      expect([await migrating, waits]).toEqual([[], ['once']]);
    } finally {
      await other.end();
    }
  });

  it('fail when the server is gone without a word, rather than to wait for its answer', async () => {
    await migrate(test.dataSource);
    const proxy = await TcpProxy.to(test.url);
    const config = { DATABASE_MIGRATION_URL: undefined, AUDIT_RETENTION_MONTHS: 0 };
    try {
      const failed = await test.database.transaction(async (transaction) => {
        await transaction.query(sql`lock table audit_retention in access exclusive mode`);
        const preparing = prepareDatabase(proxy.url, config);
        const outcome = preparing.then(() => 'prepared', String);
        await untilLocksAreAwaited(test.database);
        proxy.freeze();
        return { outcome };
      });
      expect(await failed.outcome).toContain('a statement, or its answer, got lost on the way');
    } finally {
      await proxy.close();
    }
  });

  it('run where the default collation is not that of code points', async () => {
    const english = await createTestDatabase({ icuLocale: 'en-US' });
    try {
      const found: unknown = await english.dataSource.query(
        `select 'a' < 'B' as alphabetical, count(*)::int as migrations from migration`,
      );
      expect(found).toEqual([{ alphabetical: true, migrations: names.length }]);
    } finally {
      await english.drop();
    }
  });

  it('leave nothing behind when one of them fails, and let others try', async () => {
    // In the way of the schema's own table.
    await test.dataSource.query('create view place as select 1 as id');
    await expect(migrate(test.dataSource)).rejects.toThrow('"place" already exists');
    await test.dataSource.query('drop view place');
    expect(await schemaOf(test.dataSource)).toEqual(await emptySchema());
    const other = await createDataSource(test.url, 1).initialize();
    try {
      expect(await migrate(other)).toEqual(names);
    } finally {
      await other.destroy();
    }
  });
});

/** What is there when every migration has been undone: the list of migrations, and no schema. */
async function emptySchema(): Promise<string[]> {
  const empty = await createTestDatabase({ migrated: false });
  try {
    const source = await createDataSource(empty.url, 1).setOptions({ migrations: [] }).initialize();
    await source.runMigrations();
    const schema = await schemaOf(source);
    await source.destroy();
    return schema;
  } finally {
    await empty.drop();
  }
}

/** Everything in the schema `public`, one line each, in a fixed order. */
async function schemaOf(dataSource: DataSource): Promise<string[]> {
  const rows: { line: string }[] = await dataSource.query(`
    with relation as (
      select c.oid, c.relname, c.relkind, c.reloptions, c.relpersistence
      from pg_class c where c.relnamespace = 'public'::regnamespace
    )
    select line from (
      select format('relation %s %s %s %s', relname, relkind, reloptions, relpersistence) from relation
      union all
      select format('column %s.%s %s %s not null %s default %s identity %s generated %s statistics %s collation %s storage %s',
               relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
               pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated, a.attstattarget, a.attcollation::regcollation, a.attstorage)
      from relation join pg_attribute a on a.attrelid = relation.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      union all
      select format('constraint %s.%s %s', relname, conname, pg_get_constraintdef(c.oid))
      from relation join pg_constraint c on c.conrelid = relation.oid
      union all
      select format('index %s', pg_get_indexdef(oid)) from relation where relkind in ('i', 'I')
      union all
      select format('view %s %s', relname, pg_get_viewdef(oid)) from relation where relkind in ('v', 'm')
      union all
      select format('sequence %s %s', relname, row_to_json(s))
      from relation join lateral (select seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle
                                  from pg_sequence where seqrelid = relation.oid) s on true
      union all
      select format('trigger %s', pg_get_triggerdef(t.oid)) from relation join pg_trigger t on t.tgrelid = relation.oid
      where not t.tgisinternal
      union all
      select format('statistics %s', pg_get_statisticsobjdef(oid)) from pg_statistic_ext
      where stxnamespace = 'public'::regnamespace
      union all
      select format('function %s', pg_get_functiondef(p.oid)) from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
        and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      union all
      select format('type %s %s', typname, typtype) from pg_type
      where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')
      union all
      select format('extension %s', extname) from pg_extension
      union all
      select format('comment %s %s', objoid::regclass, description) from pg_description join relation on relation.oid = objoid
    ) as everything (line) order by line collate "C"`);
  return rows.map(({ line }) => line);
}
