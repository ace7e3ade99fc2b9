import type { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { dispositionOf, FileMissing, FileStore } from './store/file-store.js';
import { Uploads } from './uploads.js';
import { fileNameOf } from './file-addresses.js';
import { pacedReading } from './paced-reading.js';
import { SignedAddress, type SignedQuery } from './signed-address.js';

export interface ServedContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Readable;
}

/** Serves files by address if the store does not (F-3). */
@Injectable()
export class ServedFiles {
  private readonly log = new Logger(ServedFiles.name);

  constructor(
    private readonly uploads: Uploads,
    private readonly store: FileStore,
    private readonly signed: SignedAddress,
  ) {}

  /** Throws 403 for an invalid or expired address, and 404 for a deleted file. */
  async of(id: string, query: SignedQuery): Promise<ServedContent> {
    if (!(await this.signed.isGood(id, query, Date.now()))) {
      throw new ServiceError('FORBIDDEN', 'The address is not valid, or not any more');
    }
    const known = parseUuid(id);
    const upload = known && (await this.uploads.find(known));
    if (upload === undefined) throw new ServiceError('NOT_FOUND', 'The file is gone');
    const lost = (cause: Error): ServiceError => {
      this.log.error(`the store has lost ${upload.path}`, cause);
      return new ServiceError('NOT_FOUND', 'The file is gone', { cause });
    };
    const content = await this.store.open(upload.id, 'readers').catch((error: unknown) => {
      throw error instanceof FileMissing ? lost(error) : error;
    });
    const otherwise = (): Error => lost(new Error(`the store has other bytes than these ${upload.bytes}`));
    return {
      headers: headersOf(upload.type, upload.bytes, dispositionOf({ fileName: fileNameOf(upload) })),
      content: pacedReading(content, { length: upload.bytes, otherwise }),
    };
  }
}

/** Forces a download, so that no file runs as a page of this origin. */
const headersOf = (type: string, bytes: number, disposition: string): ServedContent['headers'] => ({
  'content-type': type,
  'content-length': String(bytes),
  'content-disposition': disposition,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  // Pages of other origins may embed it.
  'cross-origin-resource-policy': 'cross-origin',
});
