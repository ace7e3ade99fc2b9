import type { Account } from './account.js';
import { canReach } from './account.js';

interface ProgramOptions {
  /** As passed to the program. */
  readonly pgdata: string;
  readonly spawn: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly uid?: number;
    readonly gid?: number;
  };
}

/**
 * Options for a program on `dataDirectory` as `account`, without our environment: PGPORT, LC_ALL and others would
 * interfere.
 *
 * A directory below one closed to `account` (/root) has no usable path. The program is started in it before it changes
 * its user, and on Linux may use `/proc/self/cwd`.
 */
export async function programOptions(dataDirectory: string, account: Account | undefined): Promise<ProgramOptions> {
  const viaWorkingDirectory = process.platform === 'linux' && !(await canReach(dataDirectory, account));
  return {
    pgdata: viaWorkingDirectory ? '/proc/self/cwd' : dataDirectory,
    spawn: { cwd: dataDirectory, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }, ...account },
  };
}
