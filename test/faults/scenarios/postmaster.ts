import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clusterPath } from '../../../src/platform/database/embedded/cluster.js';
import { Cluster } from '../../support/cluster.js';
import { eventually } from '../../support/eventually.js';
import { type Scenario, staged } from '../scenario.js';
import { SearchLoad } from '../search-load.js';
import type { Stage } from '../stage.js';
import type { World } from '../world.js';

const KILLS = 30;
/** A kill comes at a random moment of so long. */
const MOMENT_MS = 1_000;
/** so long after it takes connections again. */
const SERVED_MS = 10_000;
const BACK_MS = 120_000;
const EXTERNAL = 'matricula';

/** A server whose postmaster can be killed, and which comes back at its address. */
interface KillableStage extends Stage {
  readonly dataDirectory: string;
  /** Brings it back, where nobody else does. */
  readonly revive: () => Promise<void>;
}

/**
 * The postmaster dies under searches and events, again and again; the process lives (issue: 7 of 63 kills ended it).
 */
export const POSTMASTER_SCENARIOS: readonly Scenario[] = (
  [
    ['the PostgreSQL that the service runs itself', ownServer],
    ['a PostgreSQL of another version beside it', externalServer],
  ] as const
).map(([which, setUp]) =>
  staged(setUp, {
    fault: `${which} killed (kill -9) ${KILLS} times under searches`,
    dispatch: ['in process'],
    alone: true,
    act: killed,
  }),
);

async function killed(world: World, stage: KillableStage): Promise<void> {
  const load = await SearchLoad.begin(world);
  const [served, inAll]: [number[], number[]] = [[], []];
  await world.meanwhile(async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(Math.random() * MOMENT_MS);
      const killedMs = performance.now();
      await killPostmaster(stage);
      await stage.revive();
      await eventually('PostgreSQL is back', () => takesConnections(stage), BACK_MS);
      const backMs = performance.now();
      served.push(await load.served(backMs));
      inAll.push(performance.now() - killedMs);
      if (world.service.urls === undefined) throw new Error(`the process died at kill ${kill + 1}`);
    }
  });
  await load.end();
  world.seen =
    `searches were answered ${spread(served)} after it took connections, ${spread(inAll)} after the kill; ` +
    `${load.statuses.get(200) ?? 0} answered, ${load.statuses.get(503) ?? 0} times 503`;
  if (Math.max(...served) > SERVED_MS) throw new Error(world.seen);
}

/** `0.2 s (2.1 s at most)`: median and maximum. */
function spread(values: readonly number[]): string {
  const sorted = [...values].sort((one, other) => one - other);
  const seconds = (at: number): string => ((sorted[at] ?? 0) / 1_000).toFixed(1);
  return `${seconds(sorted.length >> 1)} s (${seconds(sorted.length - 1)} s at most)`;
}

async function killPostmaster({ dataDirectory }: KillableStage): Promise<void> {
  const pid = await postmasterOf(dataDirectory);
  process.kill(pid, 'SIGKILL');
  await eventually('another postmaster takes its place, or none is left', async () => {
    const isAlive = await readFile(`/proc/${pid}/stat`, 'utf8').then(
      (stat) => !/\) [ZX] /.test(stat),
      () => false,
    );
    return !isAlive;
  });
}

async function postmasterOf(dataDirectory: string): Promise<number> {
  const file = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8');
  const pid = Number(file.split('\n', 1)[0]);
  if (!Number.isInteger(pid) || pid < 2) throw new Error('the file of the postmaster names no process');
  return pid;
}

async function takesConnections({ url }: Stage): Promise<boolean> {
  const address = await url().catch(() => undefined);
  if (address === undefined) return false;
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** No `DATABASE_URL`: the service runs a server, and starts it again. */
async function ownServer(): Promise<KillableStage> {
  const directory = await mkdtemp(join(tmpdir(), 'matricula-own-'));
  const cluster = clusterPath(directory);
  const dataDirectory = join(cluster, 'data');
  return {
    environment: { DATA_DIR: directory, DEMO_RECORDS: '0' },
    dataDirectory,
    url: async () => {
      const password = await readFile(join(cluster, 'password'), 'utf8');
      const [, , , port] = (await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8')).split('\n');
      return `postgres://matricula:${password}@127.0.0.1:${port ?? ''}/matricula`;
    },
    revive: () => Promise.resolve(),
    remove: () => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** A server of the system's PostgreSQL, which whoever watches over it starts again. */
async function externalServer(): Promise<KillableStage> {
  const programs = process.env.PG_BIN ?? execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  const base = await mkdtemp(join(tmpdir(), 'matricula-external-'));
  const cluster = await Cluster.create(programs, base);
  await cluster.start();
  await cluster.query('postgres', `create database ${EXTERNAL}`);
  const url = cluster.url(EXTERNAL);
  const revive = (): Promise<void> =>
    // Those that the postmaster left behind have to notice that it is gone.
    eventually(
      'PostgreSQL starts again',
      () =>
        cluster.start().then(
          () => true,
          () => false,
        ),
      BACK_MS,
    );
  return {
    environment: { DATABASE_URL: url },
    dataDirectory: cluster.directory,
    url: () => Promise.resolve(url),
    revive,
    remove: async () => {
      await cluster.stop();
      await rm(base, { recursive: true, force: true });
    },
  };
}
