import { rm, stat, writeFile, chown } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import { awaitServer } from '../../src/platform/database/connection/await-server.js';
import type { DatabaseServer } from '../../src/platform/database/connection/database-server.js';
import { clusterPath } from '../../src/platform/database/embedded/cluster.js';
import { openEmbeddedServer } from '../../src/platform/database/embedded/embedded-server.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { untilAsleep, untilNothingRuns } from '../support/database-activity.js';
import { eventually } from '../support/eventually.js';
import { createTestAuthority } from '../support/scripted-subscriber-certificates.js';
import { scratchDirectory } from '../support/scratch-directory.js';

const authority = createTestAuthority();

describe('a server that speaks TLS', () => {
  let directory: string;
  let server: DatabaseServer;

  beforeAll(async () => {
    directory = await scratchDirectory('matricula-tls-');
    server = await openEmbeddedServer(directory, () => undefined);
    const data = join(clusterPath(directory), 'data');
    const { uid, gid } = await stat(data);
    const { cert, key } = authority.issue(['localhost']);
    for (const [name, content] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const) {
      await writeFile(join(data, name), content, { mode: 0o600 });
      await chown(join(data, name), uid, gid);
    }
    await writeFile(join(directory, 'ca.pem'), authority.certificate);
    await writeFile(join(directory, 'other-ca.pem'), createTestAuthority('Another').certificate);
    const plain = await createDataSource(server.url, 1).initialize();
    await plain.query('alter system set ssl = on');
    await plain.query('select pg_reload_conf()');
    await plain.destroy();
    // Connections have the setting shortly before the server can speak TLS.
    await eventually('it speaks TLS', async () => {
      const client = new pg.Client({ connectionString: urlOf('localhost', 'ca.pem') });
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    });
  });
  afterAll(async () => {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });

  const urlOf = (host: string, authorityFile: string): string => {
    const url = new URL(server.url);
    url.hostname = host;
    url.search = `sslmode=verify-full&sslrootcert=${join(directory, authorityFile)}`;
    return url.href;
  };

  it('is spoken to in TLS, its name and authority being right, and a cancel reaches it', async () => {
    const url = urlOf('localhost', 'ca.pem');
    await awaitServer(url, 100, () => undefined);
    const dataSource = await createDataSource(url, 2).initialize();
    const database = new Database(dataSource);
    const found = await database.query(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`);
    expect(found).toEqual([{ ssl: true }]);
    const controller = new AbortController();
    const reason = new Error('nobody waits for it any more');
    const outcome = database.query(sql`select pg_sleep(600)`, controller.signal).catch((error: unknown) => error);
    await untilAsleep(database, 1);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await untilNothingRuns(database);
    await dataSource.destroy();
  });

  it.each([
    ['another authority', 'localhost', 'other-ca.pem'],
    ['another name', '127.0.0.1', 'ca.pem'],
  ])('is not spoken to when its certificate is of %s', async (_, host, file) => {
    await expect(awaitServer(urlOf(host, file), 1, () => undefined)).rejects.toThrow(
      /refused the connection|did not answer/,
    );
  });
});
