import { ServiceError } from '../../kernel/errors/service-error.js';
import { SearchDeadline } from './search-admission.js';

const STAYS = new AbortController().signal;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the deadline of a search', () => {
  it('asks to come back when the time is over', () => {
    const { signal } = new SearchDeadline(0.01, STAYS);
    jest.advanceTimersByTime(10);
    expect(signal.reason).toMatchObject({
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

  it('begins again with another time and reason', () => {
    const tooLong = new ServiceError('SERVICE_UNAVAILABLE', 'took too long to send');
    const deadline = new SearchDeadline(0.2, STAYS);
    jest.advanceTimersByTime(199);
    deadline.begin(0.1, () => tooLong);
    jest.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(deadline.signal.reason).toBe(tooLong);
  });

  it('does not run after the search', () => {
    const client = new AbortController();
    const ended = new SearchDeadline(0.01, client.signal);
    ended.end();
    jest.advanceTimersByTime(30);
    client.abort(new Error('gone'));
    expect(ended.signal.aborted).toBe(false);
  });
});
