import type { Readable } from 'node:stream';
import { pipeline, Transform } from 'node:stream';

import { READING_PACE, tooSlowReader } from '../../search/answer/reading-pace.js';

/** What a client is sent, which ends when it takes too little of it, and when its source fails. */
export function pacedReading(source: Readable, { leastBytesPerSecond, overMs } = READING_PACE): Readable {
  let [bytes, bytesBefore] = [0, 0];
  const sent = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const look = setInterval(() => {
    const isBehind = sent.readableLength > 0 && bytes - bytesBefore < (leastBytesPerSecond * overMs) / 1_000;
    bytesBefore = bytes;
    if (isBehind) sent.destroy(tooSlowReader('a file'));
  }, overMs).unref();
  sent.once('close', () => {
    clearInterval(look);
  });
  // Whoever reads it gets the error.
  pipeline(source, sent, () => undefined);
  return sent;
}
