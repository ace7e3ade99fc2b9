import { Readable } from 'node:stream';

/** A byte stream of lines, one JSON text or one value each, cut into chunks of `chunkBytes`. */
export function ndjson(lines: readonly unknown[], chunkBytes = 1_000): Readable {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return inChunks(Buffer.from(text), chunkBytes);
}

export const inChunks = (bytes: Buffer, chunkBytes: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
      bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
    ),
  );
