import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey, matricula, startMatricula, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { LONG_TEST_MS } from '../support/time-outs.js';

jest.setTimeout(LONG_TEST_MS);

const RECORDS = 2_000;
const KILLS = 4;

let database: TestDatabase;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createTestDatabase();
  env = { SECRETS_KEY: aSecretsKey(), DATABASE_URL: database.url };
  await storeRecords(
    database.database,
    Array.from({ length: RECORDS }, () => aRecord()),
  );
});
afterAll(() => database.drop());

const CLEAN = { events: RECORDS, differences: [] };

const check = async (): Promise<unknown> => JSON.parse(await succeed(['reindex', '--check', '--json'], env));

/** What a reindex makes for itself. */
const leftovers = async (): Promise<number> =>
  (
    await database.database.query(
      sql`select from pg_class where relname in ('event_search_next', 'event_document_next')`,
    )
  ).length;

it('a reindex may be killed at any moment, and starts again when it is run again', async () => {
  const beganMs = performance.now();
  const untilSwapped = startMatricula(['reindex', '--json'], env);
  const done = once(untilSwapped, 'exit');
  await eventually('it has begun', async () => (await leftovers()) > 0 || untilSwapped.exitCode !== null);
  const startMs = performance.now() - beganMs;
  expect(await done).toEqual([0, null]);
  const workMs = performance.now() - beganMs - startMs;
  expect(await check()).toEqual(CLEAN);

  for (let kill = 0; kill < KILLS; kill++) {
    const running = startMatricula(['reindex'], env);
    const ended = once(running, 'exit');
    await eventually('it has begun', async () => (await leftovers()) > 0 || running.exitCode !== null);
    await sleep((workMs * kill) / KILLS);
    running.kill('SIGKILL');
    await ended;
    expect(await check()).toEqual(CLEAN);
  }

  expect(JSON.parse(await succeed(['reindex', '--json'], env))).toEqual({ events: RECORDS });
  expect(await leftovers()).toBe(0);
  expect(await check()).toEqual(CLEAN);
});

it('a check that finds a difference ends with exit code 1 and names it', async () => {
  const [event] = await database.database.query<{ id: string }>(
    sql`update event_search set status = 'ARCHIVED' where seq = (select min(seq) from event) returning id`,
  );
  const { code, stdout, stderr } = await matricula(['reindex', '--check'], env);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `${RECORDS} events, and what is derived differs from what they say:\n  event_search.status: 1, ${event?.id ?? ''}\n`,
  });
  expect(stderr).toMatch(/(^|\n)Comparing: 2000\/2000 events, \d+ events\/s, 0 s left\n$/);
  await succeed(['reindex'], env);
  expect(await check()).toEqual(CLEAN);
});
