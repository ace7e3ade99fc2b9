import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** A real PgBouncer before one database. */
export interface Pgbouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one that gives its `poolSize` connections to the server away as `mode` says. */
export async function startPgbouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
  poolSize: number,
): Promise<Pgbouncer> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const directory = await mkdtemp(join(tmpdir(), 'matricula-pgbouncer-'));
  const port = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${poolSize}
`,
  );
  // It does not run as root.
  const isRoot = process.getuid?.() === 0;
  await chmod(directory, 0o755);
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = `postgres://any@127.0.0.1:${port}${pathname}`;
  await eventually('PgBouncer answers', async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    return client.connect().then(
      async () => {
        await client.end();
        return true;
      },
      () => false,
    );
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
