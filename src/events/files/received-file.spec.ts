import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { aPdf, aPng } from '../../../test/support/multipart.js';
import { ReceivedFile } from './uploads.js';

const ALL = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'];

const inPieces = (bytes: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
  );

async function contentOf(file: ReceivedFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.content()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a file that arrives', () => {
  it.each([1, 5, 16, 1_000])('has its type first, then its bytes, in pieces of %i', async (size) => {
    const bytes = aPng(300);
    const file = await ReceivedFile.begin(inPieces(bytes, size), ALL);
    expect(file.type).toBe('image/png');
    expect(await contentOf(file)).toEqual(bytes);
    expect(file.facts()).toEqual({
      type: 'image/png',
      bytes: 300,
      sha256: createHash('sha256').update(bytes).digest(),
    });
  });

  it('may be shorter than what is looked at', async () => {
    const file = await ReceivedFile.begin(Readable.from([Buffer.from('%PDF-1.4')]), ALL);
    expect([file.type, await contentOf(file)]).toEqual(['application/pdf', Buffer.from('%PDF-1.4')]);
    const late = Buffer.concat([Buffer.alloc(900, ' '), aPdf()]);
    const other = await ReceivedFile.begin(inPieces(late, 7), ALL);
    expect([other.type, await contentOf(other)]).toEqual(['application/pdf', late]);
  });

  it('is refused when it is of another type, and so is a type that is not configured', async () => {
    const refusal = (types: string) => ({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      issues: [{ message: `file: must be one of ${types} by its content, whatever its name says` }],
    });
    await expect(ReceivedFile.begin(Readable.from([Buffer.from('GIF89a')]), ALL)).rejects.toMatchObject(
      refusal('JPG, PNG, WEBP, PDF'),
    );
    await expect(ReceivedFile.begin(Readable.from([aPdf()]), ['image/png'])).rejects.toMatchObject(refusal('PNG'));
  });

  it('is refused when it is empty', async () => {
    await expect(ReceivedFile.begin(Readable.from([]), ALL)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ message: 'file: must not be empty' }],
    });
  });
});
