import { createWriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { withinDeadline } from '../../database/within-deadline.js';
import type { Uuid } from '../../domain/uuid.js';
import { errorCode } from '../../errors/error-code.js';
import { FileMissing, FileStore } from './file-store.js';

/** For each call; a file system may be on the network. */
const DEADLINE_MS = 10_000;

/**
 * Files under `DATA_DIR/files`, one for each attachment, in 256 directories. A file gets its name once it is complete
 * and on the disk.
 */
export class DiskStore extends FileStore {
  private readonly root: string;
  private readonly incoming: string;

  constructor(
    dataDirectory: string,
    private readonly deadlineMs = DEADLINE_MS,
  ) {
    super();
    this.root = join(dataDirectory, 'files');
    this.incoming = join(this.root, 'incoming');
  }

  async check(): Promise<void> {
    await this.soon(mkdir(this.incoming, { recursive: true, mode: 0o700 }));
    await this.soon(access(this.incoming, constants.W_OK));
  }

  async remove(id: Uuid): Promise<void> {
    await this.soon(rm(this.draftOf(id), { force: true }));
    await this.soon(rm(this.pathOf(id), { force: true }));
  }

  addressOf(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  protected async keep(id: Uuid, content: AsyncIterable<Uint8Array>, _: string, signal: AbortSignal): Promise<void> {
    const [draft, path] = [this.draftOf(id), this.pathOf(id)];
    await this.soon(mkdir(this.incoming, { recursive: true, mode: 0o700 }));
    // The time between two pieces is that of the client.
    await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), { signal });
    const made = await this.soon(mkdir(dirname(path), { recursive: true, mode: 0o700 }));
    await this.soon(rename(draft, path));
    await this.sync(dirname(path));
    if (made !== undefined) await this.sync(this.root);
  }

  protected async read(id: Uuid): Promise<Readable> {
    try {
      const file = await this.opened(this.pathOf(id));
      return file.createReadStream();
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? new FileMissing(id, { cause: error }) : error;
    }
  }

  /** A name survives a crash once its directory is on the disk. */
  private async sync(directory: string): Promise<void> {
    const handle = await this.opened(directory);
    try {
      await this.soon(handle.sync());
    } finally {
      await handle.close();
    }
  }

  private async opened(path: string): Promise<FileHandle> {
    const opening = open(path);
    try {
      return await this.soon(opening);
    } catch (error) {
      // It may still be opened when nobody waits any more.
      void opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    }
  }

  private soon<T>(work: Promise<T>): Promise<T> {
    return withinDeadline(this.deadlineMs, 'The file system', work);
  }

  private draftOf(id: Uuid): string {
    return join(this.incoming, id);
  }

  private pathOf(id: Uuid): string {
    return join(this.root, id.slice(0, 2), id);
  }
}
