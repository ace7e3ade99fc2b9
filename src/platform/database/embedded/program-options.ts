import type { Account } from './account.js';
import { canReach } from './account.js';

/** How to run one of PostgreSQL's programs on a data directory. */
interface ProgramOptions {
  /** The data directory as passed to the program. */
  readonly pgdata: string;
  readonly spawn: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly uid?: number;
    readonly gid?: number;
  };
}

/**
 * Options to run a program on `dataDirectory` as `account`. The program gets nothing of our environment: PGPORT, LC_ALL
 * and others would change what it does.
 *
 * A data directory below one that `account` may not enter (/root) has no path that the program could use. But the
 * program is started in that directory, before it changes its user, and on Linux may refer to it as `/proc/self/cwd`.
 */
export async function programOptions(dataDirectory: string, account: Account | undefined): Promise<ProgramOptions> {
  const viaWorkingDirectory = process.platform === 'linux' && !(await canReach(dataDirectory, account));
  return {
    pgdata: viaWorkingDirectory ? '/proc/self/cwd' : dataDirectory,
    spawn: { cwd: dataDirectory, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }, ...account },
  };
}
