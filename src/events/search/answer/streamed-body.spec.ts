import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../../test/support/eventually.js';
import { KIB } from '../../../kernel/domain/bytes.js';
import { streamedBody, type Write } from './streamed-body.js';

const broken = jest.fn<undefined, [unknown]>();
beforeEach(() => broken.mockReset());
afterEach(() => jest.useRealTimers());

const NEVER = new AbortController().signal;
const PACE = { leastBytesPerSecond: 16_000, overMs: 60_000 };

interface Given {
  readonly signal?: AbortSignal;
  readonly pace?: typeof PACE;
}

const bodyOf = (
  produce: (write: Write) => Promise<void>,
  { signal = NEVER, pace = PACE }: Given = {},
): Promise<Readable> => streamedBody({ produce, signal, pace, onBroken: broken });

describe('a streamed body', () => {
  it('is what was written', async () => {
    const body = await bodyOf(async (write) => {
      await write('a');
      await write('é'.repeat(100_000));
      await write('b');
    });
    expect(await text(body)).toBe(`a${'é'.repeat(100_000)}b`);
  });

  it('is empty when nothing was written', async () => {
    expect(await text(await bodyOf(() => Promise.resolve()))).toBe('');
  });

  it('is written no faster than it is read', async () => {
    let written = 0;
    const body = await bodyOf(async (write) => {
      for (; written < 1_000; written += 1) await write('x'.repeat(10_000));
    });
    await sleep(50);
    expect(written).toBeLessThan(20);
    expect(await text(body)).toHaveLength(10_000_000);
  });

  it('does not come when the work fails before the first text', async () => {
    await expect(bodyOf(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(broken).not.toHaveBeenCalled();
  });

  it('breaks off when the work fails after it', async () => {
    const body = await bodyOf(async (write) => {
      await write('a');
      throw new Error('no');
    });
    await expect(text(body)).rejects.toThrow('no');
    expect(broken).toHaveBeenCalledWith(new Error('no'));
  });

  it('lets the work know that nobody reads it any more', async () => {
    let failure: unknown;
    const body = await bodyOf(async (write) => {
      try {
        for (;;) await write('x'.repeat(100_000));
      } catch (error) {
        failure = error;
        throw error;
      }
    });
    body.destroy();
    await once(body, 'close');
    await eventually('the work knows', () => failure !== undefined);
    expect(failure).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    expect(broken).not.toHaveBeenCalled();
  });

  it('breaks off when its time is over while it waits for its client', async () => {
    const time = new AbortController();
    const body = await bodyOf(
      async (write) => {
        for (;;) await write('x'.repeat(100_000));
      },
      { signal: time.signal },
    );
    const closed = once(body, 'error');
    time.abort(new Error('over'));
    expect(await closed).toEqual([new Error('over')]);
    expect(broken).toHaveBeenCalledWith(new Error('over'));
  });
});

describe('who reads it', () => {
  const QUICK = { leastBytesPerSecond: 1_000_000, overMs: 240 };
  const endless = async (write: Write): Promise<void> => {
    for (;;) await write('x'.repeat(100_000));
  };

  it('is cut off after taking too little for too long', async () => {
    const body = await bodyOf(endless, { pace: QUICK });
    const [error] = (await once(body, 'error')) as [unknown];
    expect(error).toMatchObject({ refusal: 'slow-reader' });
    expect(broken).toHaveBeenCalledWith(error);
  });

  it('is cut off from what is left when all of it was written', async () => {
    const body = await bodyOf((write) => write('x'.repeat(1_000_000)), { pace: QUICK });
    expect(await once(body, 'error')).toMatchObject([{ refusal: 'slow-reader' }]);
  });

  it('is not, when little was written', async () => {
    const body = await bodyOf(
      async (write) => {
        await write('a');
        await sleep(3 * QUICK.overMs);
        await write('b');
      },
      { pace: QUICK },
    );
    expect(await text(body)).toBe('ab');
  });

  it('is not, while it takes enough', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    let written = 0;
    const body = await bodyOf(
      async (write) => {
        for (; written < 300; written += 1) await write('x'.repeat(64 * KIB));
      },
      { pace: { ...QUICK, leastBytesPerSecond: 100_000 } },
    );
    let taken = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      taken += chunk.length;
      jest.advanceTimersByTime(30);
    }
    expect(taken).toBe(300 * 64 * KIB);
  });
});
