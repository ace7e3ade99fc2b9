import type { Readable } from 'node:stream';

import type { AttachmentType } from '../../../kernel/domain/attachment-type.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';

export interface ServedFile {
  readonly id: Uuid;
  /** Download name. */
  readonly fileName: string;
  readonly type: AttachmentType;
}

export class FileMissing extends Error {
  constructor(id: Uuid, options: ErrorOptions) {
    super(`the file store has no file ${id}`, options);
    this.name = 'FileMissing';
  }
}

/**
 * Storage of attachments (F-2). Ids are generated here: no caller's text becomes a name, and no file is overwritten.
 * Every call has a deadline.
 */
export abstract class FileStore {
  /** For the log at start. */
  abstract check(): Promise<void>;

  /**
   * Resolves once crash-safe. Rejects with the failure of `content`, the signal's reason, or 503 SERVICE_UNAVAILABLE,
   * and may leave a partial file until `remove`. `onUnclear`: the store failed, and may still write after a removal.
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
    // A store that only listens to the signal would miss an earlier abort.
    signal.throwIfAborted();
    const failures: unknown[] = [];
    async function* noted(): AsyncGenerator<Uint8Array> {
      // Errors thrown at a `yield` are the reader's.
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

  /** Rejects with `FileMissing` or 503 SERVICE_UNAVAILABLE. */
  async open(id: Uuid): Promise<Readable> {
    try {
      return await this.read(id);
    } catch (error) {
      if (error instanceof FileMissing) throw error;
      throw storeUnavailable(error);
    }
  }

  /** Also removes a partial file; a missing file is no error. */
  abstract remove(id: Uuid): Promise<void>;

  /** Address at the store itself (F-3); undefined if the service has to serve the file. */
  abstract addressOf(file: ServedFile, seconds: number): Promise<string | undefined>;

  protected abstract keep(
    id: Uuid,
    content: AsyncIterable<Uint8Array>,
    type: AttachmentType,
    signal: AbortSignal,
  ): Promise<void>;

  protected abstract read(id: Uuid): Promise<Readable>;
}

/** Forces a download (F-3). */
export const dispositionOf = ({ fileName }: Pick<ServedFile, 'fileName'>): string =>
  `attachment; filename="${fileName.replace(/[^A-Za-z0-9._-]/g, '_')}"`;

/** 503 for a store that fails or does not answer. */
export const storeUnavailable = (cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The file store cannot be used now; try again later', {
    headers: { 'retry-after': '10' },
    cause,
  });
