import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { errorCode } from '../../../kernel/errors/service-error.js';
import { DatabaseServerError } from '../connection/database-server.js';
import { processBeginning } from './orphans.js';

/** The right to run the server of one `DATA_DIR`, until `release()` or the end of the process. */
export interface DataDirClaim {
  announce(port: number): Promise<void>;
  /** Call before stopping: newcomers then wait for the release. */
  withdraw(): Promise<void>;
  release(): Promise<void>;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: DataDirClaim }
  | { readonly kind: 'taken'; readonly pid: number; readonly port: number };

/** One file per claim; without a port, the server is starting or stopping. */
interface ClaimFile {
  readonly pid: number;
  readonly beginning: string;
  readonly port?: number;
}

const FILE_NAME = /^postgres\.claim-\d+-[0-9a-f]+\.json$/;
const POLL_MS = 50;

/**
 * Claims `dataDir`, or waits up to `patienceSeconds` for its claimant's server.
 *
 * Claimants write a file with a unique name, then give way to any living other. Two may both give way and retry, but
 * never both claim, since the later writer sees the earlier. Files of dead processes can always be removed.
 */
export async function claimDataDir(dataDir: string, patienceSeconds: number): Promise<ClaimOutcome> {
  const deadline = performance.now() + patienceSeconds * 1_000;
  let other = await livingClaim(dataDir, undefined);
  for (;;) {
    if (other === undefined) {
      const own = new OwnClaim(dataDir);
      await own.write({});
      other = await livingClaim(dataDir, own.fileName);
      if (other === undefined) return { kind: 'claimed', claim: own };
      await own.release();
    } else if (other.port !== undefined) {
      return { kind: 'taken', pid: other.pid, port: other.port };
    }
    if (performance.now() > deadline) {
      throw new DatabaseServerError(
        `Process ${other.pid} is starting the embedded database of ${dataDir}, and was not done within ${patienceSeconds} seconds.`,
      );
    }
    await sleep(POLL_MS * (1 + Math.random()));
    other = await livingClaim(dataDir, undefined);
  }
}

class OwnClaim implements DataDirClaim {
  readonly fileName = `postgres.claim-${process.pid}-${randomBytes(8).toString('hex')}.json`;

  constructor(private readonly dataDir: string) {}

  announce(port: number): Promise<void> {
    return this.write({ port });
  }

  withdraw(): Promise<void> {
    return this.write({});
  }

  release(): Promise<void> {
    return rm(join(this.dataDir, this.fileName), { force: true });
  }

  /** Atomic: no reader sees half a file. */
  async write(more: { readonly port?: number }): Promise<void> {
    const content: ClaimFile = { pid: process.pid, beginning: processBeginning(process.pid) ?? '', ...more };
    const path = join(this.dataDir, this.fileName);
    await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o644 });
    await rename(`${path}.new`, path);
  }
}

/** A living claim other than `except`; removes files of dead processes. */
async function livingClaim(dataDir: string, except: string | undefined): Promise<ClaimFile | undefined> {
  let found: ClaimFile | undefined;
  for (const name of await readdir(dataDir)) {
    if (!FILE_NAME.test(name) || name === except) continue;
    const path = join(dataDir, name);
    const claim = await readClaim(path);
    if (claim !== undefined && processBeginning(claim.pid) === claim.beginning) found ??= claim;
    else await rm(path, { force: true });
  }
  return found;
}

/** Undefined if released meanwhile, or lost in a power failure. */
async function readClaim(path: string): Promise<ClaimFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ClaimFile;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
