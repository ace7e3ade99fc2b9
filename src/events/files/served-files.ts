import { pipeline, type Readable, Transform } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { READING_PACE, tooSlowReader } from '../search/answer/streamed-body.js';
import { fileNameOf, SignedAddress, type SignedQuery } from './file-addresses.js';
import { dispositionOf, FileMissing, FileStore, storeUnavailable } from './file-store.js';
import { Uploads } from './uploads.js';

interface Announced {
  readonly length: number;
  readonly otherwise: () => Error;
}

/**
 * Fails when the client is too slow, or the source fails or stalls. Also fails before violating the
 * announced length, since the client would wait, or read the rest as the next answer.
 */
export function pacedReading(
  source: Readable,
  { length, otherwise }: Announced,
  { leastBytesPerSecond, overMs } = READING_PACE,
): Readable {
  let [bytes, bytesBefore] = [0, 0];
  const sent = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      if (bytes > length) done(otherwise());
      else done(null, chunk);
    },
    flush: (done) => {
      done(bytes < length ? otherwise() : null);
    },
  });
  const look = setInterval(() => {
    const moved = bytes - bytesBefore;
    bytesBefore = bytes;
    const isTaken = sent.readableLength === 0;
    if (!isTaken && moved < (leastBytesPerSecond * overMs) / 1_000) sent.destroy(tooSlowReader('a file'));
    else if (isTaken && moved === 0 && !sent.writableEnded) sent.destroy(storeUnavailable());
  }, overMs).unref();
  sent.once('close', () => {
    clearInterval(look);
  });
  // The reader gets the error.
  pipeline(source, sent, () => undefined);
  return sent;
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
  async of(id: string, query: SignedQuery): Promise<{ headers: Record<string, string>; content: Readable }> {
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
const headersOf = (type: string, bytes: number, disposition: string): Record<string, string> => ({
  'content-type': type,
  'content-length': String(bytes),
  'content-disposition': disposition,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  // Pages of other origins may embed it.
  'cross-origin-resource-policy': 'cross-origin',
});
