import { retryAfterMs } from './retry-schedule.js';

const NOW_MS = Date.parse('2026-01-02T03:04:05Z');

describe('retryAfterMs', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['no seconds', '0', 0],
    ['more than an hour', '86400', 3_600_000],
    ['more digits than a number holds', '9'.repeat(400), 3_600_000],
    ['a date', 'Fri, 02 Jan 2026 03:06:05 GMT', 120_000],
    ['a date in the form of RFC 850', 'Friday, 02-Jan-26 03:06:05 GMT', 120_000],
    ['a date in the form of asctime', 'Fri Jan  2 03:06:05 2026', 120_000],
    ['a date that has passed', 'Fri, 02 Jan 2026 03:00:00 GMT', 0],
    ['a date far away', 'Sat, 02 Jan 2027 03:04:05 GMT', 3_600_000],
    ['nothing', undefined, undefined],
    ['an empty value', '', undefined],
    ['a fraction', '1.5', undefined],
    ['a negative number', '-5', undefined],
    ['a word', 'soon', undefined],
    ['no real date', 'Fri, 99 Foo 2026 99:99:99 GMT', undefined],
  ])('reads %s', (_, asked, expected) => {
    const headers = asked === undefined ? {} : { 'retry-after': asked };
    expect([retryAfterMs(429, headers, NOW_MS), retryAfterMs(503, headers, NOW_MS)]).toEqual([expected, expected]);
  });

  it('measures a date from the clock of the subscriber', () => {
    const headers = { date: 'Fri, 02 Jan 2026 05:00:00 GMT', 'retry-after': 'Fri, 02 Jan 2026 05:00:30 GMT' };
    expect(retryAfterMs(503, headers, NOW_MS)).toBe(30_000);
  });

  it.each([
    ['the longest of several', ['5', '60', '7'], 60_000],
    ['the longest of seconds and dates', ['Fri, 02 Jan 2026 03:06:05 GMT', '5'], 120_000],
    ['those that can be read', ['soon', '5'], 5_000],
    ['none that can be read', ['soon', ''], undefined],
  ])('takes of several headers %s', (_, asked, expected) => {
    expect(retryAfterMs(503, { 'retry-after': asked }, NOW_MS)).toBe(expected);
  });

  it('takes the first of several dates', () => {
    const date = ['Fri, 02 Jan 2026 05:00:00 GMT', 'Fri, 02 Jan 2026 06:00:00 GMT'];
    const headers = { date, 'retry-after': 'Fri, 02 Jan 2026 05:00:30 GMT' };
    expect(retryAfterMs(503, headers, NOW_MS)).toBe(30_000);
  });

  it('does not listen to any other status', () => {
    expect([200, 301, 400, 500, 502].map((status) => retryAfterMs(status, { 'retry-after': '5' }, NOW_MS))).toEqual(
      Array(5).fill(undefined),
    );
  });
});
