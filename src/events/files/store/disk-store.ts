import type { FileHandle } from 'node:fs/promises';
import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { FairQueue } from '../../../platform/queue/fair-queue.js';
import { withinDeadline } from '../../../platform/database/connection/within-deadline.js';
import { KIB } from '../../../kernel/domain/bytes.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { errorCode } from '../../../kernel/errors/error-code.js';
import { FileMissing, FileStore } from './file-store.js';

/** Per call; a file system may be on the network. */
const DEADLINE_MS = 10_000;
/** Half of Node's thread pool, shared with tokens, passwords and DNS: a hung file system blocks threads. */
const CALLS_AT_ONCE = 2;
const MOST_WAITING = 1_000;
const PIECE_BYTES = 64 * KIB;

/** Under `DATA_DIR/files`, in 256 directories. Files are named once complete and flushed. */
export class DiskStore extends FileStore {
  private readonly root: string;
  private readonly incoming: string;
  private readonly turns = new FairQueue({
    atOnce: CALLS_AT_ONCE + 1,
    ofOne: CALLS_AT_ONCE,
    mostWaiting: MOST_WAITING,
  });

  constructor(
    dataDirectory: string,
    private readonly deadlineMs = DEADLINE_MS,
  ) {
    super();
    this.root = join(dataDirectory, 'files');
    this.incoming = join(this.root, 'incoming');
  }

  async check(): Promise<void> {
    await this.soon(() => mkdir(this.incoming, { recursive: true, mode: 0o700 }));
    await this.soon(() => access(this.incoming, constants.W_OK));
  }

  async remove(id: Uuid): Promise<void> {
    await this.soon(() => rm(this.draftOf(id), { force: true }));
    await this.soon(() => rm(this.pathOf(id), { force: true }));
  }

  addressOf(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  protected async keep(id: Uuid, content: AsyncIterable<Uint8Array>, _: string, signal: AbortSignal): Promise<void> {
    const [draft, path] = [this.draftOf(id), this.pathOf(id)];
    await this.soon(() => mkdir(this.incoming, { recursive: true, mode: 0o700 }));
    const file = await this.opened(draft, 'wx');
    const written = new Writable({
      write: (piece: Uint8Array, _encoding, done) => {
        this.soon(() => file.writeFile(piece)).then(() => {
          done();
        }, done);
      },
    });
    try {
      // The client determines the time between chunks.
      await pipeline(content, written, { signal });
      await this.soon(() => file.sync());
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      closeLater(file);
    }
    const made = await this.soon(() => mkdir(dirname(path), { recursive: true, mode: 0o700 }));
    await this.soon(() => rename(draft, path));
    await this.sync(dirname(path));
    if (made !== undefined) await this.sync(this.root);
  }

  protected async read(id: Uuid): Promise<Readable> {
    try {
      return this.piecesOf(await this.opened(this.pathOf(id)));
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? new FileMissing(id, { cause: error }) : error;
    }
  }

  private piecesOf(file: FileHandle): Readable {
    const next = async (pieces: Readable): Promise<void> => {
      try {
        const { bytesRead, buffer } = await this.soon(() => file.read({ buffer: Buffer.allocUnsafe(PIECE_BYTES) }));
        pieces.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead));
      } catch (error) {
        pieces.destroy(error instanceof Error ? error : undefined);
      }
    };
    return new Readable({
      read() {
        void next(this);
      },
      destroy(error, done) {
        closeLater(file);
        done(error);
      },
    });
  }

  /** A file name survives a crash once its directory is flushed. */
  private async sync(directory: string): Promise<void> {
    const handle = await this.opened(directory);
    try {
      await this.soon(() => handle.sync());
    } finally {
      closeLater(handle);
    }
  }

  private async opened(path: string, flags = 'r'): Promise<FileHandle> {
    const openings: Promise<FileHandle>[] = [];
    try {
      return await this.soon(() => {
        const opening = open(path, flags, 0o600);
        openings.push(opening);
        return opening;
      });
    } catch (error) {
      // It may be opened after the caller has given up.
      for (const opening of openings) void opening.then(closeLater).catch(() => undefined);
      throw error;
    }
  }

  /** A call not begun within its time is dropped. */
  private soon<T>(call: () => Promise<T>): Promise<T> {
    const over = AbortSignal.timeout(this.deadlineMs);
    return withinDeadline(this.deadlineMs, 'The file system', this.turns.run('files', over, call));
  }

  private draftOf(id: Uuid): string {
    return join(this.incoming, id);
  }

  private pathOf(id: Uuid): string {
    return join(this.root, id.slice(0, 2), id);
  }
}

/** Closes after pending calls; all data is flushed by then. */
function closeLater(file: FileHandle): void {
  file.close().catch(() => undefined);
}
