import { EventEmitter, once } from 'node:events';
import { rm } from 'node:fs/promises';

import { DatabaseServerError } from '../../src/platform/database/connection/database-server.js';
import { openEmbeddedServer } from '../../src/platform/database/embedded/embedded-server.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { someRecords } from '../support/imports.js';
import { migrateAt } from '../support/migrate-at.js';
import { ndjson } from '../support/ndjson.js';
import { databaseOf, startReplicatedServer } from '../support/replicated-server.js';
import { storeRecords } from '../support/store-records.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { scratchDirectory } from '../support/scratch-directory.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';
import { wordsNear } from '../support/words-near.js';

const START_MS = 120_000;

const named = (name: string) => aRecord({ declaration: { name: { firstname: name } } });

/** Whether a search of that process would find the word, one letter of it being wrong. */
const knows = async (process: Database, word: string): Promise<boolean> =>
  (await wordsNear(process, `${word}x`)).length > 0;

/** Transactions that take ids and write nothing. */
async function takeIds(database: Database, count: number): Promise<void> {
  for (let taken = 0; taken < count; taken += 1) await database.query(sql`select pg_current_xact_id()`);
}

/** The processes of the server that write its log out by themselves. */
const writersOf = async (database: Database): Promise<readonly number[]> => {
  const rows = await database.query<{ pid: number }>(sql`
    select pid from pg_stat_activity where backend_type in ('walwriter', 'background writer', 'checkpointer')`);
  return rows.map(({ pid }) => pid);
};

/** Holds them up, and has no others: what is committed from now on without waiting for the disk is not there yet. */
async function stopWriters(database: Database): Promise<readonly number[]> {
  await database.query(sql`alter system set autovacuum = off`);
  await database.query(sql`select pg_reload_conf()`);
  await eventually('nothing is vacuumed', async () => {
    const vacuuming = sql`select from pg_stat_activity where backend_type like 'autovacuum%'`;
    return (await database.query(vacuuming)).length === 0;
  });
  await database.query(sql`checkpoint`);
  const writers = await writersOf(database);
  for (const pid of writers) process.kill(pid, 'SIGSTOP');
  return writers;
}

/**
 * What a process reads again after its connections have broken: the first attempts may meet them, or a server that has
 * not noticed that it must begin anew, with others than `former`.
 */
const untilItAnswers = (database: Database, former: readonly number[] = []): Promise<void> =>
  eventually(
    'the database answers',
    () =>
      writersOf(database).then(
        (writers) => !writers.some((pid) => former.includes(pid)),
        () => false,
      ),
    START_MS,
  );
/** An import of which some is written, and which waits for its source until it is told to `goOn`. */
async function beginImport(database: Database): Promise<{ readonly goOn: () => Promise<unknown> }> {
  const steps = new EventEmitter();
  const records = someRecords(1_500);
  async function* source(): AsyncGenerator<Uint8Array> {
    yield* ndjson([...records.slice(0, 1_000), '']);
    await once(steps, 'go on');
    yield* ndjson(records.slice(1_000));
  }
  const written = once(steps, 'written');
  const ended = importRecords(database, WITHOUT_FORMS, source(), { onProgress: () => steps.emit('written') });
  ended.catch(() => undefined);
  await written;
  return {
    goOn: () => {
      steps.emit('go on');
      return ended;
    },
  };
}

it('a process finds names that are written after a standby that was behind was promoted (Q-4)', async () => {
  const servers = await startReplicatedServer(1);
  const [standby] = servers.replicas;
  if (standby === undefined) throw new Error('there is no standby');
  const primary = await databaseOf(servers);
  const proxy = await TcpProxy.to(servers.primaryUrl);
  const dataSource = await createDataSource(proxy.url, 4).initialize();
  try {
    const process = new Database(dataSource);
    await storeRecords(primary.database, [named('Temwanani')]);
    expect(await knows(process, 'temwanani')).toBe(true);
    const [written] = await primary.database.query<{ lsn: string }>(sql`select pg_current_wal_lsn()::text as lsn`);
    const received = sql`select from pg_stat_replication where flush_lsn >= ${written?.lsn}::pg_lsn`;
    await eventually('the standby has it', async () => (await primary.database.query(received)).length === 1);

    await standby.kill();
    await takeIds(primary.database, 300);
    await storeRecords(primary.database, [named('Chukwuemeka')]);
    expect(await knows(process, 'chukwuemeka')).toBe(true);

    await primary.drop();
    await servers.stopPrimary();
    await standby.start();
    proxy.leadTo(standby.url);
    // Until it is promoted it serves nobody.
    const refused = await process.query(sql`select 1`).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DatabaseServerError);
    expect(String(refused)).toContain('is a standby');

    await standby.promote();
    await untilItAnswers(process);
    const promoted = await createDataSource(standby.url, 2).initialize();
    await storeRecords(new Database(promoted), [named('Abimbola')]);
    await promoted.destroy();
    expect(await knows(process, 'abimbola')).toBe(true);
    // What the standby had not got is gone.
    expect([await knows(process, 'temwanani'), await knows(process, 'chukwuemeka')]).toEqual([true, false]);
  } finally {
    await dataSource.destroy();
    await proxy.close();
    await servers.stop();
  }
}, 300_000);

describe('a server that loses commits in a crash (synchronous_commit = off)', () => {
  it.each([
    ['of all of it', "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid"],
    ['of one of its processes', 'select pg_backend_pid() as pid'],
  ])(
    'is read again after a crash %s',
    async (_, victim) => {
      const directory = await scratchDirectory('matricula-crash-');
      const server = await openEmbeddedServer(directory, () => undefined);
      await migrateAt(server.url);
      const dataSource = await createDataSource(server.url, 4).initialize();
      try {
        const process = new Database(dataSource);
        await storeRecords(process, [named('Temwanani')]);
        expect(await knows(process, 'temwanani')).toBe(true);

        const importing = await beginImport(process);
        const writers = await stopWriters(process);
        const [row] = await dataSource.query<{ pid: number }[]>(victim);
        const unsafe = await createDataSource(`${server.url}?options=-csynchronous_commit%3Doff`, 1).initialize();
        await takeIds(new Database(unsafe), 50);
        await storeRecords(new Database(unsafe), [named('Chukwuemeka')]);
        expect(await knows(process, 'chukwuemeka')).toBe(true);
        for (const pid of [row?.pid ?? 0, ...writers]) globalThis.process.kill(pid, 'SIGKILL');
        await unsafe.destroy().catch(() => undefined);
        await untilItAnswers(process, writers);
        await expect(importing.goOn()).rejects.toThrow(
          'The database server was restarted or replaced during the import, and may have lost what was written before',
        );

        await storeRecords(process, [named('Abimbola')]);
        expect([await knows(process, 'abimbola'), await knows(process, 'chukwuemeka')]).toEqual([true, false]);
      } finally {
        await dataSource.destroy();
        await server.close();
        await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      }
    },
    300_000,
  );
});
