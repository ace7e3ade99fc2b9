import { randomUUID } from 'node:crypto';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import { Roles } from '../../src/auth/users/roles.js';
import { UserDirectory } from '../../src/auth/users/user-directory.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { ServerWatch } from '../../src/platform/database/connection/server-watch.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { ImportSession } from '../../src/events/import/import-session.js';
import { HierarchyCache } from '../../src/auth/locations/hierarchy-cache.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventProcess } from '../support/event-writers.js';
import { eventually } from '../support/eventually.js';
import { migrateAt } from '../support/migrate-at.js';
import { administer, createTestDatabase, nameOf, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const [NORTH, SOUTH, OFFICE, USER] = [aUuid(), aUuid(), aUuid(), aUuid()];

/** The same places and users in each, after the same number of changes: only what became of them differs. */
async function fill({ database }: TestDatabase, area: string, status: string): Promise<void> {
  await database.query(sql`
    insert into place (id, kind, name, part_of, location_type)
    values (${NORTH}, 'administrativeArea', 'North', null, null), (${SOUTH}, 'administrativeArea', 'South', null, null),
           (${OFFICE}, 'location', 'Office', ${area}, 'CRVS_OFFICE')`);
  await database.query(sql`
    insert into user_account (user_id, username, username_key, firstname, surname, role, primary_office_id, status)
    values (${USER}, 'a', 'a', 'Ama', 'Owusu', 'NATIONAL_SYSTEM_ADMIN', ${OFFICE}, ${status})`);
}

/** A database that was restored beside the one in use takes its name: the server is the same, and was not restarted. */
async function replace(used: TestDatabase, restored: TestDatabase): Promise<void> {
  const [name, other] = [nameOf(used), nameOf(restored)];
  await restored.dataSource.destroy();
  await administer(
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname in ('${name}', '${other}')`,
    `drop database ${name} with (force)`,
    `alter database ${other} rename to ${name}`,
  );
}

/** A dump that was made before is restored in place of what the database has. */
async function restoreIn({ database, url }: TestDatabase, rows: () => Promise<void>): Promise<void> {
  await database.query(sql`drop schema public cascade`);
  await database.query(sql`create schema public`);
  await migrateAt(url);
  await rows();
}

it('a process reads everything again from a restored database that took the name of the one in use (Q-4)', async () => {
  const [used, restored] = [await createTestDatabase(), await createTestDatabase()];
  await fill(used, NORTH, 'active');
  await fill(restored, SOUTH, 'deactivated');
  const feed = new ChangeFeed(used.database.primary, () => undefined);
  const places = new HierarchyCache(used.database, feed);
  const users = new UserDirectory(used.database, new Roles(readConfig({})), feed);
  const importing = new ImportSession(used.database);
  try {
    await feed.start();
    const known = (): unknown => [places.below(NORTH).length, places.below(SOUTH).length, users.find(USER)?.status];
    expect(known()).toEqual([2, 1, 'active']);
    await importing.transaction(() => Promise.resolve());

    await replace(used, restored);
    // The first attempts may meet connections that have just been ended.
    const isServed = (): Promise<boolean> =>
      used.database.query(sql`select 1`).then(
        () => feed.isFollowing,
        () => false,
      );
    await eventually('changes are heard again', isServed);
    expect(known()).toEqual([1, 2, 'deactivated']);
    await expect(importing.settle()).rejects.toThrow('The database server was restarted or replaced during the import');
  } finally {
    await feed.stop();
    await used.drop();
    await restored.drop();
  }
});

it('a process knows nothing any more of what a database had in which a dump was restored (Q-4)', async () => {
  const used = await createTestDatabase();
  const operator = await createDataSource(used.url, 2).initialize();
  const feed = new ChangeFeed(used.database.primary, () => undefined);
  const users = new UserDirectory(used.database, new Roles(readConfig({})), feed);
  const watch = new ServerWatch(used.database.primary, () => undefined);
  const { operations } = eventProcess(used.database);
  const noticed = jest.fn();
  used.database.primary.onNewServer(noticed);
  const notify = async (): Promise<void> => {
    const body = {
      ...{ transactionId: randomUUID(), eventType: 'birth', createdAtLocation: aUuid(5) },
      declaration: { 'child.name': { firstname: 'Quxilbert', surname: 'Musonda' } },
    };
    const clinic = { sub: 'clinic', userType: 'system', scope: ['record.create', 'record.notify'] } as const;
    const { signal: hungUp } = new AbortController();
    await operations.createAndNotify(body, { caller: callerOf(clinic, () => undefined), hungUp });
  };
  try {
    await fill(used, NORTH, 'active');
    await feed.start();
    watch.onApplicationBootstrap();
    await notify();
    expect(users.find(USER)?.status).toBe('active');

    const restored = { ...used, database: new Database(operator) };
    await restoreIn(restored, () => fill(restored, NORTH, 'deactivated'));
    await eventually('it is noticed', () => Promise.resolve(noticed.mock.calls.length > 0));
    await eventually('users are read again', () => Promise.resolve(users.find(USER)?.status === 'deactivated'));
    await notify();
    const { events, differences } = await checkDerived(used.database, WITHOUT_FORMS);
    // The places were stored by themselves, without the terms of their areas.
    expect([events, differences]).toEqual([1, []]);
  } finally {
    await watch.onApplicationShutdown();
    await feed.stop();
    await operator.destroy();
    await used.drop();
  }
});
