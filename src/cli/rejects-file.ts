import type { FileHandle } from 'node:fs/promises';
import { lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { Option } from 'commander';

import { syncDirectory } from '../platform/config/kept-files.js';
import { messageOf } from '../kernel/errors/message-of.js';
import type { Issue } from '../kernel/errors/service-error.js';
import { WrongUsage } from './wrong-usage.js';

/** `--rejects` */
export const rejectsOption = (): Option =>
  new Option('--rejects <file>', 'where rejected lines go (beside the file: FILE.rejected.ndjson)');

/** A line that was not imported, and why. */
interface RejectedLine {
  readonly line: number;
  /** The id of what it tells of, if it has one. */
  readonly id?: string;
  readonly issues: readonly Issue[];
  readonly text: string;
}

/**
 * The rejected lines of an import with their faults, `{line, id?, issues, text}` a line. The file of an earlier
 * run stays until this one has a line for it, or has come to its end without one: then there is no file.
 */
export class RejectsFile {
  count = 0;
  private file: FileHandle | undefined;

  private constructor(readonly path: string) {}

  /**
   * That of an import from `source`: `path`, or a file beside the source. Throws if no file can be made there, before
   * anything is imported: beside a pipe there is no room, nor in a directory that others own. Changes nothing.
   */
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

  /** A line may hold a password: nobody who made the file before gets to read what is written to it. */
  async add(line: RejectedLine): Promise<void> {
    this.file ??= await this.make();
    // `write` takes a part for all of it, on a disk that fills up.
    await this.file.writeFile(`${JSON.stringify(line)}\n`);
    this.count += 1;
  }

  /** The import has come to its end: without a line, that of an earlier run would be mistaken for this one's. */
  async complete(): Promise<void> {
    // Of what came through a pipe there is no other copy.
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
    // An import that does not begin must not cost what an earlier run has rejected.
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

  /** Whether there is a file or a link; throws for a device or a pipe, which would be gone for everybody. */
  private async isReplaceable(): Promise<boolean> {
    const known = await lstat(this.path).catch(() => undefined);
    if (known?.isFile() === false && !known.isSymbolicLink()) throw new Error(`${this.path} is no file`);
    return known !== undefined;
  }

  private remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

/** Root could make a file beside `/dev/stdin`, where nobody looks for it and the next start of the machine loses it. */
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
