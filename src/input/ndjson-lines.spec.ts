import { Readable } from 'node:stream';

import fc from 'fast-check';

import type { NdjsonLine } from './ndjson-lines.js';
import { ndjsonLines } from './ndjson-lines.js';

async function linesOf(source: Buffer, chunkBytes = 3, longest?: number): Promise<readonly NdjsonLine[]> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < source.length; at += chunkBytes) chunks.push(source.subarray(at, at + chunkBytes));
  const lines: NdjsonLine[] = [];
  for await (const some of ndjsonLines(Readable.from(chunks), longest)) lines.push(...some);
  return lines;
}

const line = (number: number, text: string, end: number, fault?: string): NdjsonLine => ({ number, text, fault, end });

describe('the lines of an NDJSON stream', () => {
  it('are counted from 1, blank ones too, and say where they end', async () => {
    expect(await linesOf(Buffer.from('{"a":1}\n\n  \t\r\n{"b":"ü"}\r\n[]'))).toEqual([
      line(1, '{"a":1}', 8),
      line(4, '{"b":"ü"}', 26),
      line(5, '[]', 28),
    ]);
  });

  it('begin after a byte order mark, which is passed over at the beginning alone', async () => {
    expect(await linesOf(Buffer.from('\ufeff1\n\ufeff2'))).toEqual([line(1, '1', 5), line(2, '\ufeff2', 9)]);
  });

  it('are faulty when they are no UTF-8', async () => {
    expect(await linesOf(Buffer.from([0x22, 0xff, 0x22, 0x0a, 0x31]))).toEqual([
      line(1, '"\ufffd"', 4, 'must be UTF-8'),
      line(2, '1', 5),
    ]);
  });

  it('are faulty when they are too long, and nothing but their beginning is kept', async () => {
    const long = 'x'.repeat(5_000);
    expect(await linesOf(Buffer.from(`${'y'.repeat(2_000)}\n${long}\n1`), 700, 2_000)).toEqual([
      line(1, 'y'.repeat(2_000), 2_001),
      line(2, 'x'.repeat(1_000), 7_002, 'must not be longer than 2000 bytes'),
      line(3, '1', 7_003),
    ]);
  });

  it('are none in an empty stream', async () => {
    expect(await linesOf(Buffer.alloc(0))).toEqual([]);
    expect(await linesOf(Buffer.from('\n'))).toEqual([]);
  });

  it('do not depend on where the stream is cut', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '𝒳', '\n', '\r', ' ') });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (source, chunkBytes) => {
        const whole = source
          .split('\n')
          .map((content, at) => ({ number: at + 1, text: content.replace(/\r$/, ''), fault: undefined }))
          .filter((expected) => expected.text.trim() !== '');
        const lines = await linesOf(Buffer.from(source), chunkBytes);
        expect(lines.map(({ number, text: content, fault }) => ({ number, text: content, fault }))).toEqual(whole);
      }),
    );
  });
});
