import { setImmediate as turn } from 'node:timers/promises';

import { Periodic } from './periodic.js';

/** A loop whose work ends when the test says so. */
function heldLoop() {
  const begun: (() => void)[] = [];
  const errors: unknown[] = [];
  let ended: ((error?: Error) => void) | undefined;
  const signals: AbortSignal[] = [];
  const loop = new Periodic({
    everyMs: 1,
    work: (signal) => {
      signals.push(signal);
      begun.shift()?.();
      return new Promise((resolve, reject) => {
        ended = (error) => {
          if (error === undefined) resolve();
          else reject(error);
        };
      });
    },
    onError: (error) => {
      errors.push(error);
    },
  });
  return {
    loop,
    errors,
    signals,
    begins: () => new Promise<void>((resolve) => begun.push(resolve)),
    end: (error?: Error) => ended?.(error),
  };
}

describe('something that is done again and again', () => {
  it('is begun again when it has ended, and not before', async () => {
    const { loop, signals, begins, end } = heldLoop();
    const first = begins();
    loop.start();
    loop.start();
    await first;
    await turn();
    expect(signals).toHaveLength(1);
    const second = begins();
    end();
    await second;
    expect(signals).toHaveLength(2);
    end();
    await loop.stop();
  });

  it('is done again after it has failed, and the failure is told', async () => {
    const { loop, errors, begins, end } = heldLoop();
    const first = begins();
    loop.start();
    await first;
    const second = begins();
    end(new Error('out of luck'));
    await second;
    expect(errors).toEqual([new Error('out of luck')]);
    end();
    await loop.stop();
  });

  it('is told to end, waited for, and not begun again', async () => {
    const { loop, signals, begins, end } = heldLoop();
    const first = begins();
    loop.start(1);
    await first;
    const stopped = loop.stop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    end();
    await stopped;
    expect(signals).toHaveLength(1);
  });

  it('never begins once it was stopped', async () => {
    const { loop, signals } = heldLoop();
    loop.start(60_000);
    await loop.stop();
    expect(signals).toEqual([]);
  });
});
