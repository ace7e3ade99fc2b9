import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { streamedBody } from './streamed-body.js';

const broken = jest.fn<undefined, [unknown]>();
beforeEach(() => broken.mockReset());

describe('a streamed body', () => {
  it('is what was written', async () => {
    const body = await streamedBody(async (write) => {
      await write('a');
      await write('b');
    }, broken);
    expect(await text(body)).toBe('ab');
  });

  it('is empty when nothing was written', async () => {
    expect(await text(await streamedBody(() => Promise.resolve(), broken))).toBe('');
  });

  it('is written no faster than it is read', async () => {
    let written = 0;
    const body = await streamedBody(async (write) => {
      for (; written < 1_000; written += 1) await write('x'.repeat(10_000));
    }, broken);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(written).toBeLessThan(20);
    expect(await text(body)).toHaveLength(10_000_000);
  });

  it('does not come when the work fails before the first text', async () => {
    await expect(streamedBody(() => Promise.reject(new Error('no')), broken)).rejects.toThrow('no');
    expect(broken).not.toHaveBeenCalled();
  });

  it('breaks off when the work fails after it', async () => {
    const body = await streamedBody(async (write) => {
      await write('a');
      throw new Error('no');
    }, broken);
    await expect(text(body)).rejects.toThrow('no');
    expect(broken).toHaveBeenCalledWith(new Error('no'));
  });

  it('lets the work know that nobody reads it any more', async () => {
    const body = await streamedBody(async (write) => {
      for (;;) await write('x'.repeat(100_000));
    }, broken);
    body.destroy();
    await once(body, 'close');
    await new Promise((resolve) => setImmediate(resolve));
    expect(broken).toHaveBeenCalledWith(expect.objectContaining({ code: 'ERR_STREAM_DESTROYED' }));
  });
});
