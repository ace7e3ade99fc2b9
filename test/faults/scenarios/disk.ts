import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serverAccount } from '../../../src/platform/database/embedded/server-process.js';
import { KIB, MIB } from '../../../src/kernel/domain/bytes.js';
import { eventually } from '../../support/eventually.js';
import { PostgresServer } from '../postgres-server.js';
import { type Scenario, staged } from '../scenario.js';
import { SearchLoad } from '../search-load.js';
import { sharedStage, type Stage } from '../stage.js';
import type { World } from '../world.js';

const run = promisify(execFile);

const FULL_MS = 8_000;
const NOTICED_MS = 60_000;
/** so long after there is room; a server that fell has to come back first. */
const SERVED_MS = 10_000;
const CHUNK_BYTES = 64 * KIB;

/** A database on a disk of its own, which can be filled. */
interface DiskStage extends Stage {
  readonly disk: string;
}

/** A disk of memory is mounted, which only root may do. */
export const DISK_SCENARIOS: readonly Scenario[] = [
  staged(tablesOnADisk, {
    fault: 'the disk of the database is full, and has room again',
    dispatch: ['in process'],
    alone: true,
    act: filled,
  }),
  staged(allOnADisk, {
    fault: 'the disk of PostgreSQL is full, its log included, and has room again',
    dispatch: ['in process'],
    alone: true,
    act: filled,
  }),
];

async function filled(world: World, { disk }: DiskStage): Promise<void> {
  const load = await SearchLoad.begin(world);
  let [noticedMs, servedMs] = [0, 0];
  let meanwhile = '';
  await world.meanwhile(async () => {
    const filler = join(disk, 'filler');
    await fill(filler);
    const fullMs = performance.now();
    await eventually('it says not ready', async () => (await stateOf(world)).startsWith('503'), NOTICED_MS);
    noticedMs = performance.now() - fullMs;
    // Whatever becomes free meanwhile is taken.
    for (const untilMs = performance.now() + FULL_MS; performance.now() < untilMs;) {
      await fill(filler);
      await sleep(200);
    }
    const saysSo = async (): Promise<boolean> => {
      await fill(filler);
      meanwhile = await stateOf(world);
      return meanwhile.startsWith('503');
    };
    await eventually('it says so still', saysSo, FULL_MS);
    await rm(filler);
    const roomMs = performance.now();
    await eventually('it is ready', async () => (await stateOf(world)) === '200, database up', NOTICED_MS);
    servedMs = Math.max(performance.now() - roomMs, await load.served(roomMs));
  });
  await load.end();
  world.seen =
    `not ready after ${seconds(noticedMs)} (${meanwhile}), ready and served ${seconds(servedMs)} after there was room; ` +
    `searches answered ${load.statuses.get(200) ?? 0} times, ${load.statuses.get(503) ?? 0} times 503`;
  if (servedMs > SERVED_MS) throw new Error(world.seen);
}

const stateOf = (world: World): Promise<string> => world.service.readiness('database');
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Writes until nothing fits any more. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (let bytes = CHUNK_BYTES; bytes >= 512;) {
      try {
        await file.appendFile(Buffer.alloc(bytes));
      } catch {
        bytes /= 2;
      }
    }
  } finally {
    await file.close();
  }
}

/** Mounts a disk of so many megabytes, which the server may write to. */
async function mounted(megabytes: number): Promise<{ readonly disk: string; readonly unmount: () => Promise<void> }> {
  const disk = await mkdtemp(join(tmpdir(), 'matricula-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', disk]);
  } catch (error) {
    await rm(disk, { recursive: true });
    throw new Error('a disk of its own can be mounted by root alone', { cause: error });
  }
  const { bsize, blocks } = await statfs(disk);
  if (bsize * blocks > megabytes * MIB) throw new Error('the disk is larger than was asked for');
  return {
    disk,
    unmount: async () => {
      await run('umount', [disk]);
      await rm(disk, { recursive: true });
    },
  };
}

/** Its tables are on a small disk, its log and everybody else's on the large one. */
async function tablesOnADisk(postgres: PostgresServer): Promise<DiskStage> {
  const { disk, unmount } = await mounted(64);
  const account = await serverAccount(disk);
  if (account !== undefined) await chown(disk, account.uid, account.gid);
  const name = `small_${randomBytes(4).toString('hex')}`;
  await postgres.administer(`create tablespace ${name} location '${disk}'`);
  const shared = await sharedStage(postgres, `tablespace ${name}`);
  return {
    ...shared,
    disk,
    remove: async () => {
      await shared.remove();
      await postgres.administer(`drop tablespace ${name}`);
      await unmount();
    },
  };
}

async function allOnADisk(): Promise<DiskStage> {
  const { disk, unmount } = await mounted(256);
  const postgres = await PostgresServer.start(disk);
  const shared = await sharedStage(postgres);
  return {
    ...shared,
    disk,
    remove: async () => {
      await postgres.stop({ keepDirectory: true });
      await unmount();
    },
  };
}
