import type { Readable } from 'node:stream';
import { pipeline, Transform } from 'node:stream';

import { READING_PACE, tooSlowReader } from '../search/answer/reading-pace.js';
import { storeUnavailable } from './store/file-store.js';

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
