import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCode } from '../../../kernel/errors/error-code.js';
import { DatabaseServerError } from '../connection/database-server-error.js';
import { type Account, canReach } from './account.js';
import { copyBinaries, hasLibraryNames } from './binary-copy.js';
import type { Binaries } from './package-binaries.js';

/**
 * The package, or a copy if `account` cannot execute it. The package may be private (below /root), or lack libraries'
 * names (install scripts blocked) in read-only `node_modules`.
 */
export async function usableBinaries(
  binaries: Binaries,
  account: Account | undefined,
  dataDir: string,
): Promise<string> {
  const { directory } = binaries;
  if ((await hasLibraryNames(binaries)) && (await canReach(join(directory, 'bin'), account))) return directory;
  const tried: string[] = [];
  for (const base of copyPlaces(dataDir, account)) {
    const fault = await prepareBase(base, account);
    if (fault === undefined) return copyBinaries(binaries, base);
    tried.push(`${base} (${fault})`);
  }
  throw new DatabaseServerError(
    `The program files of the embedded PostgreSQL are in ${directory}, where the user that has to run them ` +
      `(id ${account?.uid ?? process.getuid?.() ?? 0}) cannot. They could not be copied either. Tried: ${tried.join(', ')}. ` +
      'Set DATA_DIR to a directory that every user may enter, or set DATABASE_URL.',
  );
}

/** The system's directory, if none of root's is accessible to another account. */
function copyPlaces(dataDir: string, account: Account | undefined): readonly string[] {
  const own = join(dataDir, 'postgres-binaries');
  return account === undefined ? [own] : [own, '/var/cache/matricula', join(tmpdir(), 'matricula-postgres')];
}

/**
 * Resolves with a reason if `base` is unusable. In /tmp others may have created it: it must belong to us or root,
 * writable by nobody else.
 */
async function prepareBase(base: string, account: Account | undefined): Promise<string | undefined> {
  if (!(await canReach(dirname(base), account).catch(() => false))) return 'lies where this user may not enter';
  try {
    await mkdir(base);
    await chmod(base, 0o755);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') return String(error);
  }
  const found = await lstat(base);
  if (!found.isDirectory()) return 'is not a directory';
  if (process.getuid !== undefined) {
    if (found.uid !== 0 && found.uid !== process.getuid()) return 'belongs to another user';
    if ((found.mode & 0o022) !== 0) return 'other users may write in it';
  }
  return (await canReach(base, account)) ? undefined : 'this user may not enter it';
}
