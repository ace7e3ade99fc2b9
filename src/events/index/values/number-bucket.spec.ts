import fc from 'fast-check';

import { beginsBucket, bucketOf } from './number-of.js';

const aNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -300, max: 300 }),
  fc.integer({ min: -4_000, max: 4_000 }).map((thousandths) => thousandths / 1_000),
);

describe('the bucket of a number', () => {
  it('is no smaller than that of a smaller number', () => {
    fc.assert(
      fc.property(aNumber, aNumber, (a, b) => {
        const [smaller, larger] = a < b ? [a, b] : [b, a];
        expect(bucketOf(smaller)).toBeLessThanOrEqual(bucketOf(larger));
      }),
    );
  });

  it('begins with a number when every smaller one is in another', () => {
    fc.assert(
      fc.property(aNumber, aNumber, (a, b) => {
        const [smaller, larger] = a < b ? [a, b] : [b, a];
        if (smaller < larger && beginsBucket(larger)) expect(bucketOf(smaller)).toBeLessThan(bucketOf(larger));
      }),
    );
    expect([2, 2.5, 18, 32, 34, 1_024].map(beginsBucket)).toEqual([true, true, true, true, true, true]);
    expect([0, -2, 33, 2.51, 0.0001].map(beginsBucket)).toEqual([false, false, false, false, false]);
  });

  it('is its own for whole numbers to 32', () => {
    const buckets = Array.from({ length: 33 }, (_, number) => bucketOf(number));
    expect(new Set(buckets).size).toBe(33);
  });

  it('is 0 for 0, and one for all numbers past a trillion', () => {
    expect([0, -0, 1e-9, -1e-9].map(bucketOf).map(Math.abs)).toEqual([0, 0, 0, 0]);
    expect(bucketOf(2e12)).toBe(bucketOf(1e308));
    expect(bucketOf(-2e12)).toBe(bucketOf(-1e308));
  });
});
