import fc from 'fast-check';

import { retryWaitMs } from './retry-schedule.js';

const SCHEDULE = [5, 30, 120];
const wait = (failures: number, jitter: number, retryAfterMs?: number): number | undefined =>
  retryWaitMs({ failures, scheduleSeconds: SCHEDULE, jitter, retryAfterMs });

describe('retryWaitMs', () => {
  it('follows the schedule, each wait within 20 % of it', () => {
    expect([wait(1, 0), wait(1, 0.5), wait(1, 0.999_999), wait(2, 0.5), wait(3, 0)]).toEqual([
      4_000, 5_000, 6_000, 30_000, 96_000,
    ]);
  });

  it('ends after the last wait, whatever the subscriber asks for', () => {
    expect([wait(4, 0.5), wait(4, 0.5, 10_000), wait(99, 0)]).toEqual([undefined, undefined, undefined]);
  });

  it('is never earlier than the subscriber asked for, and never earlier than the schedule', () => {
    expect([wait(1, 0.5, 60_000), wait(2, 0.5, 1_000)]).toEqual([60_000, 30_000]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 3_600_000 }),
        (failures, jitter, asked) => {
          expect(wait(failures, jitter, asked)).toBeGreaterThanOrEqual(asked);
          expect(wait(failures, jitter, asked)).toBeGreaterThanOrEqual((SCHEDULE[failures - 1] ?? 0) * 800);
        },
      ),
    );
  });
});
