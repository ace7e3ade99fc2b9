import { type FileHandle, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option } from 'commander';
import { syncDirectory } from '../platform/config/kept-files.js';
import { type Issue, messageOf } from '../kernel/errors/service-error.js';
import { WrongUsage } from './options.js';

export const rejectsOption = (): Option =>
  new Option('--rejects <file>', 'where rejected lines go (beside the file: FILE.rejected.ndjson)');

interface RejectedLine {
  readonly line: number;
  /** The record's id, if it has one. */
  readonly id?: string;
  readonly issues: readonly Issue[];
  readonly text: string;
}

/**
 * Lines `{line, id?, issues, text}`. An earlier file stays until the first rejected line, or an end without one,
 * which deletes it.
 */
export class RejectsFile {
  count = 0;
  private file: FileHandle | undefined;

  private constructor(readonly path: string) {}

  /** Beside `source` by default. Throws before the import if it cannot be created. Changes nothing. */
  static async of(source: string, path = besideOf(source)): Promise<RejectsFile> {
    const rejects = new RejectsFile(path);
    if (await isSameFile(source, path)) throw new WrongUsage(`--rejects: ${path} is the file that is imported`);
    try {
      await rejects.tryOut();
    } catch (error) {
      const reason = messageOf(error);
      throw new WrongUsage(`Rejected lines cannot be written (${reason}); name another file with --rejects`, {
        cause: error,
      });
    }
    return rejects;
  }

  /** A new file, as lines may hold a password. */
  async add(line: RejectedLine): Promise<void> {
    this.file ??= await this.make();
    // `write` may write only a part on a full disk.
    await this.file.writeFile(`${JSON.stringify(line)}\n`);
    this.count += 1;
  }

  /** Deletes an earlier file, if this run has no line. */
  async complete(): Promise<void> {
    // Input of a pipe has no other copy.
    await this.file?.sync();
    await this.close();
    if (this.count === 0) await this.remove();
    else syncDirectory(dirname(this.path));
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
  }

  private async tryOut(): Promise<void> {
    const isKnown = await this.isReplaceable();
    // A failed start must not lose earlier rejects.
    const aside = `${this.path}.${process.pid}`;
    if (isKnown) await rename(this.path, aside);
    try {
      await (await open(this.path, 'wx', 0o600)).close();
    } finally {
      if (isKnown) await rename(aside, this.path);
    }
    if (!isKnown) await this.remove();
  }

  private async make(): Promise<FileHandle> {
    await this.isReplaceable();
    await this.remove();
    return open(this.path, 'wx', 0o600);
  }

  /** A file or a link; throws for a device or a pipe. */
  private async isReplaceable(): Promise<boolean> {
    const known = await lstat(this.path).catch(() => undefined);
    if (known?.isFile() === false && !known.isSymbolicLink()) throw new Error(`${this.path} is no file`);
    return known !== undefined;
  }

  private remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

/** A file in `/dev` would be lost at the next boot. */
function besideOf(source: string): string {
  if (/^\/(?:dev|proc)\//.test(source)) {
    throw new WrongUsage(`Rejected lines cannot be written beside ${source}; name a file with --rejects`);
  }
  return `${source}.rejected.ndjson`;
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [found, known] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)));
  return found !== undefined && found.ino === known?.ino && found.dev === known.dev;
}
