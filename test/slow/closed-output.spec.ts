import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { aSecretsKey, startMatricula } from '../support/command-line.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import { runService } from '../support/service-process.js';

let database: TestDatabase;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createTestDatabase();
  env = { SECRETS_KEY: aSecretsKey(), DATABASE_URL: database.url };
});
afterAll(() => database.drop());

/** Runs a command whose standard output nobody reads: its exit code, and what it says on standard error. */
async function unread(...arguments_: readonly string[]): Promise<readonly [number | null, string]> {
  const command = startMatricula(arguments_, env);
  command.stdout.destroy();
  const [said, [code]] = await Promise.all([text(command.stderr), once(command, 'close') as Promise<[number | null]>]);
  return [code, said];
}

describe('a command whose standard output is closed', () => {
  it('fails and says so, rather than to break off: what it tells may be told this once', async () => {
    const outcomes = await Promise.all([
      unread('clients', 'register', '--as', 'HEALTH'),
      unread('export', 'records', '--query', '/dev/null/missing'),
      unread('token', '--role', 'system-admin', '--json'),
      unread('--version'),
    ]);
    const failed = [1, 'Standard output was closed before everything was written.\n'];
    expect(outcomes).toEqual([failed, [1, expect.stringContaining('/dev/null/missing')], failed, [0, '']]);
  });
});

describe('a service whose standard error is closed', () => {
  it('ends well when it is asked to: a log that is written elsewhere may end first', async () => {
    const service = runService({
      ...env,
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      PORT: '0',
      INTERNAL_PORT: '0',
    });
    service.onLine((line) => {
      if (!line.includes('"listening"')) return;
      service.process.stderr?.destroy();
      service.process.kill('SIGTERM');
    });
    expect(await service.ended).toBe(0);
  });
});
