import { ServiceError } from '../../../kernel/errors/service-error.js';
import { SearchDeadline } from './search-deadline.js';

const aborted = (signal: AbortSignal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(signal.reason);
    });
  });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the deadline of a search', () => {
  it('asks to come back when the time is over', async () => {
    const reason = aborted(new SearchDeadline(0.01).signal);
    jest.advanceTimersByTime(10);
    expect(await reason).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The search was not done within 0.01 s, and was given up; a narrower one may be answered',
      headers: { 'retry-after': '10' },
    });
  });

  it('ends with the client', () => {
    const client = new AbortController();
    const { signal } = new SearchDeadline(60, client.signal);
    client.abort(new Error('gone'));
    expect([signal.aborted, signal.reason]).toEqual([true, new Error('gone')]);
    expect(new SearchDeadline(60, client.signal).signal.aborted).toBe(true);
  });

  it('has what was left of it after a pause, or all of it again', () => {
    const resumed = new SearchDeadline(0.2);
    const begun = new SearchDeadline(0.2);
    jest.advanceTimersByTime(150);
    resumed.pause();
    begun.pause();
    resumed.resume();
    begun.begin();
    jest.advanceTimersByTime(49);
    expect([resumed.signal.aborted, begun.signal.aborted]).toEqual([false, false]);
    jest.advanceTimersByTime(1);
    expect([resumed.signal.aborted, begun.signal.aborted]).toEqual([true, false]);
    begun.end();
  });

  it('gives a wait for a turn its own limit, within the time of the search', async () => {
    const tooLong = new ServiceError('SERVICE_UNAVAILABLE', 'waited too long');
    const waits = new SearchDeadline(0.2);
    const begins = new SearchDeadline(0.2);
    const hasLess = new SearchDeadline(0.05);
    const reasons = [waits, begins, hasLess].map(({ signal }) => aborted(signal));
    for (const one of [waits, begins, hasLess]) one.wait(0.1, () => tooLong);
    jest.advanceTimersByTime(99);
    begins.waited();
    expect([waits, begins, hasLess].map(({ signal }) => signal.aborted)).toEqual([false, false, true]);
    jest.advanceTimersByTime(1);
    begins.waited();
    expect([waits, begins].map(({ signal }) => signal.aborted)).toEqual([true, false]);
    jest.advanceTimersByTime(100);
    expect(await Promise.all(reasons)).toEqual([
      tooLong,
      expect.objectContaining({ refusal: 'search-timeout' }),
      expect.objectContaining({ refusal: 'search-timeout' }),
    ]);
  });

  it('does not run while it pauses, nor after the search', async () => {
    const client = new AbortController();
    const paused = new SearchDeadline(0.01, client.signal);
    paused.pause();
    const ended = new SearchDeadline(0.01, client.signal);
    ended.end();
    jest.advanceTimersByTime(30);
    expect([paused.signal.aborted, ended.signal.aborted]).toEqual([false, false]);
    client.abort(new Error('gone'));
    expect([paused.signal.aborted, ended.signal.aborted]).toEqual([true, false]);
    const again = new SearchDeadline(0.02);
    again.pause();
    again.begin();
    const reason = aborted(again.signal);
    jest.advanceTimersByTime(20);
    expect(await reason).toHaveProperty('code', 'SERVICE_UNAVAILABLE');
  });
});
