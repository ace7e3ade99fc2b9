import { Readable } from 'node:stream';

import fc from 'fast-check';

import type { NdjsonLine } from './ndjson-lines.js';
import { ndjsonLines, ndjsonSource } from './ndjson-lines.js';

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

describe('the source of an import', () => {
  const bytesOf = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await ndjsonSource(source)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const cut = (source: Buffer, chunkBytes: number): Readable =>
    Readable.from(
      Array.from({ length: Math.ceil(source.length / chunkBytes) }, (_, at) =>
        source.subarray(at * chunkBytes, (at + 1) * chunkBytes),
      ),
    );

  it.each([1, 3, 1_000])('has the same bytes, in pieces of %i', async (chunkBytes) => {
    for (const text of ['', '\n\n', '{"a":1}', `{"a":1}\n${'{"b":2}\n'.repeat(2_000)}`, 'x'.repeat(3_000)]) {
      expect((await bytesOf(cut(Buffer.from(text), chunkBytes))).toString()).toBe(text);
    }
  });

  it.each([1, 3, 1_000])('of another kind is refused whole, in pieces of %i', async (chunkBytes) => {
    const refused = (source: Buffer, kind: RegExp) =>
      expect(bytesOf(cut(source, chunkBytes))).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        issues: [{ message: expect.stringMatching(kind) as string }],
      });
    await refused(Buffer.from('\n[\n{"a":1},\n{"a":2}\n]'), /^body: is a JSON array: .*jq -c/);
    await refused(Buffer.from(`[${'1,'.repeat(2_000)}1]`), /^body: is a JSON array: /);
    await refused(Buffer.from('\ufeff{"a":1}\r\n{"a":2}\r\n', 'utf16le'), /^body: is UTF-16: /);
    await refused(Buffer.from('id,name\n1,Ana'), /^body: is CSV: /);
  });
});
