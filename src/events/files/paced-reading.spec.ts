import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { KIB } from '../../kernel/domain/bytes.js';
import { pacedReading } from './served-files.js';

const announced = (length: number) => ({ length, otherwise: () => new Error('other bytes') });
const QUICK = { leastBytesPerSecond: 1_000_000, overMs: 30 };

describe('what a client is sent', () => {
  it('is all of the file, however long the client takes for the little that is left', async () => {
    expect(await text(pacedReading(Readable.from([Buffer.from('ab'), Buffer.from('c')]), announced(3)))).toBe('abc');
  });

  it('ends when the client takes too little of it, and so does the file', async () => {
    const source = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(64 * KIB)));
    const [error] = (await once(pacedReading(source, announced(6_553_600), QUICK), 'error')) as [unknown];
    expect(error).toMatchObject({ refusal: 'slow-reader' });
    expect(source.destroyed).toBe(true);
  });

  it('ends when nothing more of the file can be read', async () => {
    const source = new Readable({ read: () => undefined });
    source.push('half');
    const sent = pacedReading(source, announced(6_553_600), QUICK);
    const [error] = (await once(sent.resume(), 'error')) as [unknown];
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', refusal: undefined });
    expect(source.destroyed).toBe(true);
  });

  it.each([
    ['shorter', 4],
    ['longer', 2],
  ])('fails when the file is %s than was announced', async (_, length) => {
    const sent = pacedReading(Readable.from([Buffer.from('ab'), Buffer.from('c')]), announced(length));
    await expect(text(sent)).rejects.toThrow('other bytes');
  });

  it('fails as the file does', async () => {
    const source = new Readable({ read: () => undefined });
    const sent = pacedReading(source, announced(8));
    source.push('half');
    source.destroy(new Error('the disk is gone'));
    await expect(text(sent)).rejects.toThrow('the disk is gone');
  });
});
