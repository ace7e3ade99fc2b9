import { Deadlines, TimeIsUp } from './deadlines.js';

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

describe('Deadlines', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('abort work after its time, and not what ended before', async () => {
    const deadlines = new Deadlines();
    let early: AbortSignal | undefined;
    const done = await deadlines.within(1_000, (signal) => {
      early = signal;
      return Promise.resolve('done');
    });
    const late = deadlines.within(1_000, aborted);
    const sizes = [deadlines.size];
    jest.advanceTimersByTime(1_000);
    await expect(late).rejects.toThrow(TimeIsUp);
    expect({ done, early: early?.aborted, sizes: [...sizes, deadlines.size], timers: jest.getTimerCount() }).toEqual({
      ...{ done: 'done', early: false, sizes: [1, 0], timers: 0 },
    });
  });

  it('abort all that is under way at the end', async () => {
    const deadlines = new Deadlines();
    const work = [deadlines.within(1_000, aborted), deadlines.within(2_000, aborted)];
    deadlines.abortAll();
    for (const one of work) await expect(one).rejects.toThrow(TimeIsUp);
    expect([deadlines.size, jest.getTimerCount()]).toEqual([0, 0]);
  });
});
