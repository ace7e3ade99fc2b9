import { parseUuid } from '../src/kernel/domain/uuid.js';
import { MOST_RECORDS, recordKeysOf } from './record-keys.js';

describe('the keys of records', () => {
  it('are shaped as the interface has them', () => {
    const { id, trackingId, registrationNumber } = recordKeysOf(3, 12);
    expect(parseUuid(id)).toBe(id);
    expect(id[14]).toBe('4');
    expect(trackingId).toMatch(/^[0-9A-Z]{6}$/);
    expect(registrationNumber('birth', 2021)).toMatch(/^2021B[0-9A-Z]{6}[A-Z]$/);
  });

  it('never come twice, at either end of what a seed has', () => {
    const ids = new Set<string>();
    const trackingIds = new Set<string>();
    const numbers = new Set<string>();
    for (let at = 0; at < 50_000; at++) {
      for (const index of [at, MOST_RECORDS - 1 - at]) {
        const keys = recordKeysOf(9, index);
        ids.add(keys.id);
        trackingIds.add(keys.trackingId);
        numbers.add(keys.registrationNumber('death', 2020));
      }
    }
    expect([ids.size, trackingIds.size, numbers.size]).toEqual([100_000, 100_000, 100_000]);
  });

  it('differ from seed to seed', () => {
    expect(recordKeysOf(1, 0).id).not.toBe(recordKeysOf(2, 0).id);
    expect(recordKeysOf(1, 0).trackingId).not.toBe(recordKeysOf(2, 0).trackingId);
  });
});
