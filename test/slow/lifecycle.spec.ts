import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey, matricula, startMatricula } from '../support/command-line.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import { RawConnection } from '../support/raw-connection.js';
import { runService } from '../support/service-process.js';
import { storeRecords } from '../support/store-records.js';

const SECRETS_KEY = aSecretsKey();
let database: TestDatabase;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createTestDatabase();
  env = { SECRETS_KEY, DATABASE_URL: database.url, PORT: '0', INTERNAL_PORT: '0' };
});
afterAll(() => database.drop());

const COUNT = { query: { clauses: [{ eventType: 'birth' }] }, limit: 0 };

describe('a service that is killed', () => {
  it('has its data, clients and keys when it is started again', async () => {
    const killed = await startApplication({ ownProcess: true, database, env: { SECRETS_KEY } });
    const { token } = await killed.registerClient('HEALTH');
    await storeRecords(database.database, [aRecord(), aRecord()]);
    const ended = once(killed.process, 'exit');
    killed.process.kill('SIGKILL');
    await ended;

    const again = await startApplication({ ownProcess: true, database, env: { SECRETS_KEY } });
    try {
      const { status, json } = await again.request('POST', '/events/search', { token, body: COUNT });
      expect([status, json]).toEqual([200, { results: [], total: 2 }]);
    } finally {
      await again.stop();
    }
  });
});

describe('a signal', () => {
  it('lets the request in flight finish, and a second one ends the service at once', async () => {
    // Longer than a test may take: only the second signal can end it.
    const ending = await startApplication({
      ownProcess: true,
      database,
      env: { SECRETS_KEY, SHUTDOWN_GRACE_SECONDS: '300' },
    });
    const ended = once(ending.process, 'exit');
    const busy = await RawConnection.to(ending.publicUrl);
    busy.send('POST /token HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Content-Length: 2', '', '');
    // The request has arrived when one that was sent after it is answered.
    await ending.request('GET', '/ping');
    ending.process.kill('SIGTERM');
    while (await RawConnection.to(ending.publicUrl).then(closed, () => false));
    expect(ending.process.exitCode).toBe(null);
    ending.process.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    expect(await busy.closed()).toBe('');
  });

  it('as soon as the service says that it listens ends it well', async () => {
    const early = runService({ PATH: process.env.PATH, ...env });
    early.onLine((line) => {
      if (line.includes('"listening"')) early.process.kill('SIGTERM');
    });
    expect([await early.ended, early.complaints()]).toEqual([0, expect.stringMatching(/in flight are finished first/)]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('%s while the service waits for its database ends it', async (signal) => {
    const waiting = startMatricula(['serve'], { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/nothing' });
    const ended = once(waiting, 'exit');
    const complaints = text(waiting.stderr);
    await once(waiting.stderr, 'data');
    waiting.kill(signal);
    expect(await ended).toEqual([signal === 'SIGTERM' ? 143 : 130, null]);
    expect(await complaints).toMatch(new RegExp(`^waiting for the database.*\\nEnded by ${signal}\\.\\n$`));
  });
});

function closed(connection: RawConnection): boolean {
  connection.socket.destroy();
  return true;
}

describe('a start that cannot succeed ends with 1 and says why:', () => {
  it('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const outcomes = await Promise.all([
        matricula(['serve'], { ...env, PORT: String(port) }),
        matricula(['serve'], { ...env, INTERNAL_PORT: String(port) }),
      ]);
      const expected = {
        code: 1,
        stdout: '',
        stderr: `127.0.0.1:${port} is taken by another program: end that one, or change PORT or INTERNAL_PORT.\n`,
      };
      expect(outcomes).toEqual([expected, expected]);
    } finally {
      other.close();
    }
  });

  it('a database that does not answer, without its password', async () => {
    const DATABASE_URL = 'postgres://matricula:hunter2@127.0.0.1:1/nothing';
    const { code, stdout, stderr } = await matricula(['serve'], { ...env, DATABASE_URL, DATABASE_WAIT_SECONDS: '1' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^waiting for the database at 127\.0\.0\.1:1\/nothing: /),
      expect.stringMatching(/^The database at 127\.0\.0\.1:1\/nothing did not answer within 1 seconds: /),
      '',
    ]);
  });

  it('a database that does not exist', async () => {
    const DATABASE_URL = `${database.url}_missing`;
    const { code, stderr } = await matricula(['serve'], { ...env, DATABASE_URL });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/refused the connection: database ".*" does not exist\n$/),
    ]);
  });

  it('another secrets key, which is not shown', async () => {
    await matricula(['clients', 'list'], env);
    const other = aSecretsKey();
    const { code, stdout, stderr } = await matricula(['serve'], { ...env, SECRETS_KEY: other });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^SECRETS_KEY is not the one under which the database keeps its secrets: .*\n$/);
    expect([stderr.includes(other), stderr.includes(SECRETS_KEY)]).toEqual([false, false]);
  });

  it('a schema that is missing, where it may not be made', async () => {
    const empty = await createTestDatabase({ migrated: false });
    try {
      const there = { ...env, DATABASE_URL: empty.url, MIGRATE_ON_START: 'false' };
      const outcomes = await Promise.all([matricula(['serve'], there), matricula(['clients', 'list'], there)]);
      const expected = {
        code: 1,
        stdout: '',
        stderr:
          'The schema of the database is older than this program: run `matricula migrate`, or set MIGRATE_ON_START=true. ' +
          'If that finds it up to date, a later release has removed what this one reads: run the later one.\n',
      };
      expect(outcomes).toEqual([expected, expected]);
    } finally {
      await empty.drop();
    }
  });

  it('production without what it needs', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'matricula-production-'));
    try {
      const { code, stderr } = await matricula(['serve'], { NODE_ENV: 'production', DATA_DIR: directory });
      expect([code, stderr.trimEnd().split('\n')]).toEqual([
        1,
        [expect.stringMatching(/^DATABASE_URL: missing; /), expect.stringMatching(/^SECRETS_KEY: missing; /)],
      ]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
