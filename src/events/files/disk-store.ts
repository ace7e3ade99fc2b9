import { access, constants, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FairQueue } from '../../platform/queue/fair-queue.js';
import { withinDeadline } from '../../platform/database/connection/within-deadline.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { errorCode } from '../../kernel/errors/service-error.js';
import { FileMissing, FileStore, type ReadingFor } from './file-store.js';

/** For each call; a file system may be on the network. */
const DEADLINE_MS = 10_000;
/**
 * Half of the threads that Node has for calls that block, of tokens, passwords and names of hosts too: a file system
 * that hangs keeps the thread of a call for as long as it hangs, whoever waits for it.
 */
const CALLS_AT_ONCE = 2;
const MOST_WAITING = 1_000;
const PIECE_BYTES = 64 * KIB;

/** Who takes turns: uploads with their removal, and those for whom files are read. */
type StoreUser = ReadingFor | 'uploads';

/**
 * Files under `DATA_DIR/files`, one for each attachment, in 256 directories. A file gets its name once it is complete
 * and on the disk.
 */
export class DiskStore extends FileStore {
  private readonly root: string;
  private readonly incoming: string;
  /** Uploads, readers and notifications have one call at a time each, while another has the other. */
  private readonly turns = new FairQueue({ atOnce: CALLS_AT_ONCE, mostWaiting: MOST_WAITING });

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
      // The time between two pieces is that of the client.
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

  protected async read(id: Uuid, readingFor: ReadingFor): Promise<Readable> {
    try {
      return this.piecesOf(await this.opened(this.pathOf(id), 'r', readingFor), readingFor);
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? new FileMissing(id, { cause: error }) : error;
    }
  }

  private piecesOf(file: FileHandle, readingFor: ReadingFor): Readable {
    const next = async (pieces: Readable): Promise<void> => {
      try {
        const read = () => file.read({ buffer: Buffer.allocUnsafe(PIECE_BYTES) });
        const { bytesRead, buffer } = await this.soon(read, readingFor);
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

  /** A name survives a crash once its directory is on the disk. */
  private async sync(directory: string): Promise<void> {
    const handle = await this.opened(directory);
    try {
      await this.soon(() => handle.sync());
    } finally {
      closeLater(handle);
    }
  }

  private async opened(path: string, flags = 'r', user: StoreUser = 'uploads'): Promise<FileHandle> {
    const openings: Promise<FileHandle>[] = [];
    try {
      return await this.soon(() => {
        const opening = open(path, flags, 0o600);
        openings.push(opening);
        return opening;
      }, user);
    } catch (error) {
      // It may still be opened when nobody waits any more.
      for (const opening of openings) void opening.then(closeLater).catch(() => undefined);
      throw error;
    }
  }

  /** A call that has not begun before its deadline is not made later. */
  private soon<T>(call: () => Promise<T>, user: StoreUser = 'uploads'): Promise<T> {
    const over = AbortSignal.timeout(this.deadlineMs);
    return withinDeadline(this.deadlineMs, 'The file system', this.turns.run(user, over, call));
  }

  private draftOf(id: Uuid): string {
    return join(this.incoming, id);
  }

  private pathOf(id: Uuid): string {
    return join(this.root, id.slice(0, 2), id);
  }
}

/** After what is still done with it; everything that matters is on the disk by then. */
function closeLater(file: FileHandle): void {
  file.close().catch(() => undefined);
}
