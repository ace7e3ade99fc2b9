import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { errorCode } from '../../../kernel/errors/error-code.js';
import { DatabaseServerError } from '../connection/database-server-error.js';
import { processBeginning } from './process-beginning.js';

/** The right to run the embedded server of one `DATA_DIR`. It ends with `release()`, or with the process. */
export interface DataDirClaim {
  /** Tells other processes the port of the server. */
  announce(port: number): Promise<void>;
  /** To be called before the server stops: newcomers then wait for the release instead of finding a stopping server. */
  withdraw(): Promise<void>;
  release(): Promise<void>;
}

/** Either the right to run the server, or the port where another living process runs it. */
export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: DataDirClaim }
  | { readonly kind: 'taken'; readonly pid: number; readonly port: number };

/** One claim is one file; a claim without a port belongs to a process that is starting or stopping its server. */
interface ClaimFile {
  readonly pid: number;
  readonly beginning: string;
  readonly port?: number;
}

const FILE_NAME = /^postgres\.claim-\d+-[0-9a-f]+\.json$/;
const POLL_MS = 50;

/**
 * Claims `dataDir`, or waits for at most `patienceSeconds` until the process that has claimed it has started its
 * server.
 *
 * Every claimant writes a file under a name that is never reused, and then looks for others: whoever sees the claim of
 * another living process gives way. If two look at the same time, the later writer must see the earlier one. So two can
 * both give way and try again, but never both hold the claim; and anyone can remove a dead process's file at any time,
 * since no other claim will ever have its name.
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

  /** Writes the whole file atomically: no reader sees half of it. */
  async write(more: { readonly port?: number }): Promise<void> {
    const content: ClaimFile = { pid: process.pid, beginning: processBeginning(process.pid) ?? '', ...more };
    const path = join(this.dataDir, this.fileName);
    await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o644 });
    await rename(`${path}.new`, path);
  }
}

/** A claim other than `except` whose process is alive; removes files of dead processes on the way. */
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

/** Undefined if there is none: released meanwhile, or its content was lost in a power failure. */
async function readClaim(path: string): Promise<ClaimFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ClaimFile;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
