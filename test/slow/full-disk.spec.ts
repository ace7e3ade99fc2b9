import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey, filesIn, succeed } from '../support/command-line.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let env: Readonly<Record<string, string>>;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase();
  env = { SECRETS_KEY: aSecretsKey(), DATABASE_URL: database.url };
  directory = await mkdtemp(join(tmpdir(), 'matricula-full-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  await database.drop();
});
const aFile = filesIn(() => directory);

/**
 * Runs a command where no file gets larger than one or two kibibytes, its standard output neither. As on a disk that
 * fills up, the write that goes past that writes what there is room for, and succeeds; the next one fails.
 */
async function withLittleRoom(...arguments_: readonly string[]): Promise<readonly [number | null, string]> {
  const command = [process.execPath, resolve('dist/src/cli/main.js'), ...arguments_];
  const child = spawn('sh', ['-c', 'ulimit -f 2; exec "$@" > answer', 'sh', ...command], {
    cwd: directory,
    env: { PATH: process.env.PATH, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [said, [code]] = await Promise.all([text(child.stderr), ended]);
  return [code, said];
}

const LONG = 'x'.repeat(3_000);

describe('a command whose disk has room for a part of what it writes', () => {
  it('fails, rather than to end well with a part of its answer', async () => {
    const record = aRecord({ declaration: { 'child.note': LONG } });
    await succeed(['import', 'records', await aFile('records.ndjson', JSON.stringify(record))], env);
    expect(await withLittleRoom('export', 'records')).toEqual([1, 'EFBIG: file too large, write\n']);
  });

  it('fails, rather than to end well with a part of a rejected line', async () => {
    const file = await aFile('wrong.ndjson', JSON.stringify({ note: LONG }));
    expect(await withLittleRoom('import', 'records', file)).toEqual([
      1,
      expect.stringMatching(/EFBIG: file too large, write\n$/),
    ]);
  });
});
