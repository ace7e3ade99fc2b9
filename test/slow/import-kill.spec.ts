import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey, startMatricula, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { LONG_TEST_MS } from '../support/time-outs.js';

jest.setTimeout(LONG_TEST_MS);

const RECORDS = 3_000;

let database: TestDatabase;
let directory: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'matricula-kill-'));
  env = { SECRETS_KEY: aSecretsKey(), DATABASE_URL: database.url };
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

interface Stored {
  readonly events: number;
  readonly searched: number;
  readonly documents: number;
}

async function stored(): Promise<Stored> {
  const [counts] = await database.database.query<Stored>(sql`
    select count(*)::int as events, count(s.seq)::int as searched, count(d.seq)::int as documents
      from event e left join event_search s using (seq) left join event_document d using (seq)`);
  if (counts === undefined) throw new Error('nothing was counted');
  return counts;
}

/** PostgreSQL ends what a killed process had asked for, and may still commit it, before its connections are gone. */
const untilNothingRuns = (): Promise<void> =>
  eventually('nothing runs', async () => {
    const busy = await database.database.query(sql`
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend' and state <> 'idle'`);
    return busy.length === 0;
  });

const linesOf = (records: readonly EventRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** A pipe to read `text` from, which does not end after it: whoever reads it can be killed, and is never done. */
async function endlessFile(path: string, text: string): Promise<string> {
  await promisify(execFile)('mkfifo', [path]);
  // That nobody reads it any more is an error.
  createWriteStream(path)
    .on('error', () => undefined)
    .write(text);
  return path;
}

const whole = (events: number): Stored => ({ events, searched: events, documents: events });

it('a kill in the middle of an import leaves whole records only, and running it again finishes the work', async () => {
  const records = Array.from({ length: RECORDS }, () => aRecord());
  const file = join(directory, 'records.ndjson');
  await writeFile(file, linesOf(records));
  const most = await endlessFile(join(directory, 'most.ndjson'), linesOf(records.slice(0, -RECORDS / 6)));

  const importing = startMatricula(['import', 'records', most], env);
  const ended = once(importing, 'exit');
  await eventually('the first batches are in', async () => (await stored()).events > 0);
  importing.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  await untilNothingRuns();
  const { events } = await stored();
  expect(await stored()).toEqual(whole(events));
  expect(events).toBeGreaterThan(0);
  expect(events).toBeLessThan(RECORDS);

  const counts = JSON.parse(await succeed(['import', 'records', file, '--json'], env)) as Record<string, number>;
  expect(counts.rejected).toBe(0);
  expect((counts.imported ?? 0) + (counts.updated ?? 0)).toBe(RECORDS);
  // What Postgres was committing when the process was killed may have been counted too late.
  expect(counts.updated).toBeGreaterThanOrEqual(events);
  expect(await stored()).toEqual(whole(RECORDS));

  const service = await startApplication({ database, env });
  try {
    const token = (await succeed(['token', '--role', 'system-admin'], env)).trim();
    const body = { query: { clauses: [{ eventType: 'birth' }] }, limit: 0 };
    const { json } = await service.request('POST', '/events/search', { token, body });
    expect(json).toEqual({ results: [], total: RECORDS });
  } finally {
    await service.stop();
  }
});
