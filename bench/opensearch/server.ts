import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { Pool } from 'undici';

import { serverAccount } from '../../src/platform/database/embedded/server-process.js';

const START_MS = 180_000;
const CORES = 2;
const SETTINGS = `
cluster.name: bench
node.name: bench
discovery.type: single-node
network.host: 127.0.0.1
http.port: 0
transport.port: 0
node.processors: ${CORES}
cluster.routing.allocation.disk.threshold_enabled: false
`;

const run = promisify(execFile);

/** An OpenSearch node of its own on this machine, empty, with two cores and a fixed heap. It is gone once stopped. */
export class OpenSearchServer {
  private constructor(
    readonly url: string,
    readonly pid: number,
    readonly version: string,
    private readonly pool: Pool,
    private readonly end: () => Promise<void>,
  ) {}

  /** Throws an error that says what is missing where there is no Java or no Maven. */
  static async start(heapMegabytes: number): Promise<OpenSearchServer> {
    const javaHome = await javaHomeOf();
    const place = await mkdtemp(join(tmpdir(), 'matricula-opensearch-'));
    const remove = (): Promise<void> => rm(place, { recursive: true, force: true });
    try {
      const home = await unpackedInto(place);
      await writeFile(join(home, 'config/opensearch.yml'), SETTINGS);
      return await started(home, javaHome, heapMegabytes, remove);
    } catch (error) {
      await remove();
      throw error;
    }
  }

  static async of(
    url: string,
    { pid, end }: { readonly pid: number; readonly end: () => Promise<void> },
  ): Promise<OpenSearchServer> {
    const pool = new Pool(url, { connections: 32 });
    const answer = await pool.request({ path: '/', method: 'GET' });
    const { version } = (await answer.body.json()) as { readonly version: { readonly number: string } };
    return new OpenSearchServer(url, pid, version.number, pool, async () => {
      await pool.close();
      await end();
    });
  }

  /** The text of an answer that is not an error; throws any other. A text as body is sent as NDJSON. */
  async ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: string | object): Promise<string> {
    const isLines = typeof body === 'string';
    const answer = await this.pool.request({
      path,
      method,
      headers: { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' },
      body: isLines ? body : body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return text;
  }

  stop(): Promise<void> {
    return this.end();
  }
}

async function javaHomeOf(): Promise<string> {
  const { stderr } = await run('java', ['-XshowSettings:properties', '-version']).catch(() => {
    throw new Error('`java` is missing: OpenSearch needs Java 11 or later on the PATH');
  });
  const home = /^\s*java\.home = (.+)$/m.exec(stderr)?.[1];
  if (home === undefined) throw new Error('`java` does not say where it is installed');
  return home;
}

/** Lays the server out and yields its directory. Maven takes it from its repositories, once. */
async function unpackedInto(place: string): Promise<string> {
  const into = [`-DoutputDirectory=${place}`, `-DmarkersDirectory=${join(place, 'unpacked')}`];
  const output = ['dependency:unpack-dependencies', '-DexcludeTransitive=true', ...into];
  await run('mvn', ['-B', '-q', '-f', join(import.meta.dirname, 'pom.xml'), ...output]).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') {
      throw new Error('`mvn` is missing: Maven fetches the OpenSearch server of bench/opensearch/pom.xml');
    }
    throw error;
  });
  const home = (await readdir(place)).find((name) => name.startsWith('opensearch-'));
  if (home === undefined) throw new Error('Maven did not unpack a server');
  return join(place, home);
}

async function started(
  home: string,
  javaHome: string,
  heapMegabytes: number,
  remove: () => Promise<void>,
): Promise<OpenSearchServer> {
  // OpenSearch refuses to run as root, as PostgreSQL does.
  const account = await serverAccount(home);
  if (account !== undefined) await give(join(home, '..'), account);
  const child = spawn('bash', [join(home, 'bin/opensearch')], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      OPENSEARCH_JAVA_HOME: javaHome,
      OPENSEARCH_JAVA_OPTS: `-Xms${heapMegabytes}m -Xmx${heapMegabytes}m -XX:ActiveProcessorCount=${CORES}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  });
  const ended = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  child.stderr.resume();
  let isStopping = false;
  const url = await new Promise<string>((found, failed) => {
    const lines = createInterface(child.stdout);
    let last = '';
    lines.on('line', (line) => {
      last = line;
      const address = /HttpServerTransport.*publish_address \{(\S+)\}/.exec(line)?.[1];
      if (address !== undefined) found(`http://${address}`);
    });
    lines.once('close', () => {
      failed(new Error(`OpenSearch did not start: ${last}`));
      if (!isStopping) process.stderr.write(`OpenSearch ended: ${last}\n`);
    });
    setTimeout(failed, START_MS, new Error('OpenSearch did not start in time')).unref();
  });
  const end = async (): Promise<void> => {
    isStopping = true;
    child.kill('SIGTERM');
    await ended;
    await remove();
  };
  return OpenSearchServer.of(url, { pid: child.pid ?? 0, end });
}

async function give(directory: string, { uid, gid }: { readonly uid: number; readonly gid: number }): Promise<void> {
  await chown(directory, uid, gid);
  for (const entry of await readdir(directory, { recursive: true })) await chown(join(directory, entry), uid, gid);
}
