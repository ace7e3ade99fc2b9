import { mkdtemp, readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux has a file system in memory. */
const IN_MEMORY = '/dev/shm';
/** Far more than the databases of one run take at a time. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * A new directory for the files of a database server: in memory where there is room, as to copy a database takes a
 * tenth of the processor's time there, else where temporary files are.
 */
export async function scratchDirectory(prefix: string): Promise<string> {
  return mkdtemp(join((await hasRoomInMemory()) ? IN_MEMORY : tmpdir(), prefix));
}

async function hasRoomInMemory(): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const mounted = mounts.split('\n').map((line) => line.split(' '));
  const options = mounted
    .findLast(([, directory, type]) => directory === IN_MEMORY && type === 'tmpfs')?.[3]
    ?.split(',');
  // Containers may forbid to run programs there, and the server may have to run a copy of its own.
  if (options === undefined || options.includes('noexec') || !options.includes('rw')) return false;
  const { bavail, bsize } = await statfs(IN_MEMORY);
  return bavail * bsize >= ENOUGH_BYTES;
}
