import { noticeWaitMs } from './notice-sender.js';

const question = { failures: 1, scheduleSeconds: [5, 30, 120], jitter: 0.5, retryAfterMs: undefined, leftMs: 600_000 };

describe('the wait until a notice is sent again', () => {
  it.each([
    ['is that of the schedule', {}, 5_000],
    ['grows with the failures', { failures: 3 }, 120_000],
    ['is at most half of the time that is left', { failures: 3, leftMs: 60_000 }, 30_000],
    ['is not less than nothing', { leftMs: -1 }, 0],
    ['is not shorter than was asked for', { retryAfterMs: 90_000, leftMs: 60_000 }, 90_000],
    ['ends with the schedule', { failures: 4 }, undefined],
  ])('%s', (_, given, expected) => {
    expect(noticeWaitMs({ ...question, ...given })).toBe(expected);
  });
});
