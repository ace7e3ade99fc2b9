import { LeaseValidity } from './lease-validity.js';

describe('what is known of a lease', () => {
  let nowMs: number;
  beforeEach(() => {
    nowMs = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => jest.restoreAllMocks());

  const knownAfter = (lease: LeaseValidity, afterMs: number): readonly boolean[] => {
    nowMs = 1_000_000 + afterMs;
    return [lease.isFresh, lease.outlastsAnExchange, lease.isDueForRenewal];
  };

  it('is that it outlasts an exchange with five seconds to spare, and was valid less than 1.9 seconds ago', () => {
    const lease = new LeaseValidity({ leaseMs: 70_000, timeoutMs: 20_000, random: () => 0.5 });
    lease.renewed(nowMs);
    expect(knownAfter(lease, 1_899)).toEqual([true, true, false]);
    expect(knownAfter(lease, 1_900)).toEqual([false, true, false]);
    expect(knownAfter(lease, 22_500)).toEqual([false, true, false]);
    expect(knownAfter(lease, 22_501)).toEqual([false, true, true]);
    expect(knownAfter(lease, 45_000)).toEqual([false, true, true]);
    expect(knownAfter(lease, 45_001)).toEqual([false, false, true]);
  });

  it('is not changed by an older statement, and not prolonged by one that only found it valid', () => {
    const lease = new LeaseValidity({ leaseMs: 70_000, timeoutMs: 20_000, random: () => 0 });
    lease.renewed(nowMs);
    lease.confirmed(nowMs + 45_000);
    lease.confirmed(nowMs + 40_000);
    expect(lease.confirmedAtMs).toBe(1_045_000);
    expect(knownAfter(lease, 45_000)).toEqual([true, true, true]);
    expect(knownAfter(lease, 45_001)).toEqual([true, false, true]);
  });
});
