import { periodAt, slicesIn } from './update-period.js';

const secondsAt = (text: string): number => Date.parse(text) / 1_000;

describe('the period of an update', () => {
  it.each([
    ['0001-01-01T00:00:00Z', 0],
    ['1999-12-21T22:32:32Z', 0],
    ['2000-01-03T01:48:47.999Z', 0],
    ['2000-01-03T01:48:48Z', 1],
    ['2026-11-26T00:00:00Z', 810],
    ['2136-01-16T01:44:31Z', 4_094],
    ['2136-01-16T01:44:32Z', 4_095],
    ['9999-12-31T23:59:59Z', 4_095],
  ])('of %s is %i', (text, period) => {
    expect(periodAt(secondsAt(text))).toBe(period);
  });

  it.each([
    [0, []],
    [5, [-1n, -3n]],
    [4_095, [-1n, -2n, -3n, -4n, -5n, -6n, -7n, -8n, -9n, -10n, -11n, -12n]],
  ])('%i has its bits in the slices %p', (period, slices) => {
    expect(slicesIn(period)).toEqual(slices);
  });
});
