import type { Readable } from 'node:stream';

import type { AttachmentType } from '../../kernel/domain/attachment-type.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

/** Said of a file where it is served. */
export interface ServedFile {
  readonly id: Uuid;
  /** Browsers save the file under this name. */
  readonly fileName: string;
  readonly type: AttachmentType;
}

/** For whom a file is read: readers of addresses take no turns from notifications, nor these from uploads. */
export type ReadingFor = 'readers' | 'notifications';

/** The store has no such file. */
export class FileMissing extends Error {
  constructor(id: Uuid, options: ErrorOptions) {
    super(`the file store has no file ${id}`, options);
    this.name = 'FileMissing';
  }
}

/**
 * Where the bytes of attachments are (F-2). The store knows a file by an id that the service made: nothing of what a
 * caller sends becomes a name in it, and no file is ever written over another. Every call has a deadline.
 */
export abstract class FileStore {
  /** Checks that files can be kept, for the log at the start. */
  abstract check(): Promise<void>;

  /**
   * Keeps what `content` yields, and resolves once it would survive a crash. Fails with the failure of `content`, with
   * the signal's reason, or with 503 SERVICE_UNAVAILABLE; then there may be a part of it, until it is removed. Where
   * the store itself fails, `onUnclear` is called: what it was told may still be done after a removal.
   */
  async write(
    id: Uuid,
    content: AsyncIterable<Uint8Array>,
    {
      type,
      signal,
      onUnclear = () => undefined,
    }: { readonly type: AttachmentType; readonly signal: AbortSignal; readonly onUnclear?: () => void },
  ): Promise<void> {
    // A store that only listens to the signal would not hear of it.
    signal.throwIfAborted();
    const failures: unknown[] = [];
    async function* noted(): AsyncGenerator<Uint8Array> {
      // The reader's error is thrown at a `yield`.
      let isRead = true;
      try {
        for await (const piece of content) {
          isRead = false;
          yield piece;
          isRead = true;
        }
      } catch (error) {
        if (isRead) failures.push(error);
        throw error;
      }
    }
    try {
      await this.keep(id, noted(), type, signal);
    } catch (error) {
      if (error !== signal.reason && !failures.includes(error)) onUnclear();
      if (failures.length > 0) throw failures[0];
      signal.throwIfAborted();
      throw storeUnavailable(error);
    }
  }

  /** The bytes of a file. Fails with `FileMissing`, or with 503 SERVICE_UNAVAILABLE. */
  async open(id: Uuid, readingFor: ReadingFor): Promise<Readable> {
    try {
      return await this.read(id, readingFor);
    } catch (error) {
      if (error instanceof FileMissing) throw error;
      throw storeUnavailable(error);
    }
  }

  /** Removes a file and whatever was written of it; nothing is done when there is none. */
  abstract remove(id: Uuid): Promise<void>;

  /**
   * An address at which the store itself serves the file for so many seconds (F-3); undefined if the service has to.
   */
  abstract addressOf(file: ServedFile, seconds: number): Promise<string | undefined>;

  protected abstract keep(
    id: Uuid,
    content: AsyncIterable<Uint8Array>,
    type: AttachmentType,
    signal: AbortSignal,
  ): Promise<void>;

  protected abstract read(id: Uuid, readingFor: ReadingFor): Promise<Readable>;
}

/** For a browser, and for S3: the file is saved, never shown as a page of its own (F-3). */
export const dispositionOf = ({ fileName }: Pick<ServedFile, 'fileName'>): string =>
  `attachment; filename="${fileName.replace(/[^A-Za-z0-9._-]/g, '_')}"`;

/** 503: the store has failed, or does not answer. */
export const storeUnavailable = (cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The file store cannot be used now; try again later', {
    headers: { 'retry-after': '10' },
    cause,
  });
