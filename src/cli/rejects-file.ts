import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';

import type { Issue } from '../errors/service-error.js';

/** A line that was not imported, and why. */
interface RejectedLine {
  readonly line: number;
  /** The id of what it tells of, if it has one. */
  readonly id?: string;
  readonly issues: readonly Issue[];
  readonly text: string;
}

/**
 * The rejected lines of an import with their faults, `{line, id?, issues, text}` a line. Without rejects there is
 * no file.
 */
export class RejectsFile {
  count = 0;
  private file: FileHandle | undefined;

  constructor(readonly path: string) {}

  /** A line may hold a password: nobody who made the file before gets to read what is written to it. */
  async add(line: RejectedLine): Promise<void> {
    if (this.file === undefined) {
      await this.remove();
      this.file = await open(this.path, 'wx', 0o600);
    }
    await this.file.write(`${JSON.stringify(line)}\n`);
    this.count += 1;
  }

  /** An earlier run's file would be mistaken for this one's. */
  async close(): Promise<void> {
    if (this.file === undefined) await this.remove();
    else await this.file.close();
  }

  private remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}
