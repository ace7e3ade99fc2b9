import type { Readable } from 'node:stream';
import { pipeline, Transform } from 'node:stream';

import { READING_PACE, tooSlowReader } from '../../search/answer/reading-pace.js';
import { storeUnavailable } from '../store/file-store.js';

/**
 * What a client is sent, which ends when it takes too little of it, and when its source fails, or yields nothing
 * for as long: the store may be on a network.
 */
export function pacedReading(source: Readable, { leastBytesPerSecond, overMs } = READING_PACE): Readable {
  let [bytes, bytesBefore] = [0, 0];
  const sent = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      done(null, chunk);
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
