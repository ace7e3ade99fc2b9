import type { Account } from './account.js';
import { canReach } from './account.js';

interface ProgramOptions {
  readonly pgdata: string;
  readonly spawn: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly uid?: number;
    readonly gid?: number;
  };
}

/**
 * Without our environment: PGPORT, LC_ALL and others would interfere.
 *
 * `account` may be unable to enter a parent directory (/root). The program starts in the data directory before it
 * changes its user, and on Linux may use `/proc/self/cwd`.
 */
export async function programOptions(dataDirectory: string, account: Account | undefined): Promise<ProgramOptions> {
  const viaWorkingDirectory = process.platform === 'linux' && !(await canReach(dataDirectory, account));
  return {
    pgdata: viaWorkingDirectory ? '/proc/self/cwd' : dataDirectory,
    spawn: { cwd: dataDirectory, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }, ...account },
  };
}
