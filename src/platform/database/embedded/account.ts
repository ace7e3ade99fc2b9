import { access, constants, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Without `postgres` and `nobody`. */
const NOBODY: Account = { uid: 65_534, gid: 65_534 };

/**
 * PostgreSQL refuses to run as root: for root, the owner of `cluster`, else `postgres`, else `nobody`; none is created.
 * Undefined: this process's own.
 */
export async function serverAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readAccounts();
  return accounts.get('postgres') ?? accounts.get('nobody') ?? NOBODY;
}

async function readAccounts(): Promise<ReadonlyMap<string, Account>> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return new Map(
    lines.flatMap((line): [string, Account][] => {
      const [name = '', , uid = '', gid = ''] = line.split(':');
      return /^\d+$/.test(uid) && /^\d+$/.test(gid) && uid !== '0'
        ? [[name, { uid: Number(uid), gid: Number(gid) }]]
        : [];
    }),
  );
}

/** Access to `path` and every directory above it. */
export async function canReach(path: string, account: Account | undefined): Promise<boolean> {
  if (account === undefined) {
    return access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
  }
  for (let place = await realpath(path); ; place = dirname(place)) {
    const { uid, gid, mode } = await stat(place);
    const execute = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & execute) === 0) return false;
    if (place === dirname(place)) return true;
  }
}
