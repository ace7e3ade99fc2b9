import type { Readable } from 'node:stream';
import { pipeline, Transform } from 'node:stream';

import { READING_PACE, tooSlowReader } from '../search/answer/reading-pace.js';
import { storeUnavailable } from './store/file-store.js';

/** What the answer says of its file. */
interface Announced {
  readonly length: number;
  /** The error where the source has another length. */
  readonly otherwise: () => Error;
}

/**
 * What a client is sent, which ends when it takes too little of it, and when its source fails, or yields nothing
 * for as long: the store may be on a network. It fails before it has another length than was announced, which
 * would leave the client waiting for the rest, or taking the rest for the next answer.
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
  // Whoever reads it gets the error.
  pipeline(source, sent, () => undefined);
  return sent;
}
