import { Prng, type Stream } from './prng.js';

const first = (seed: number, stream: Stream, index: number): number[] => {
  const prng = new Prng(seed, stream, index);
  return Array.from({ length: 4 }, () => prng.uint32());
};

describe('the generator of random numbers', () => {
  it('gives the same numbers for the same seed, stream and index, and others for any other', () => {
    const numbers = first(7, 'vital', 3);
    expect(first(7, 'vital', 3)).toEqual(numbers);
    for (const other of [
      first(8, 'vital', 3),
      first(7, 'history', 3),
      first(7, 'vital', 4),
      first(7 + 2 ** 32, 'vital', 3),
    ]) {
      expect(other).not.toEqual(numbers);
    }
  });

  it('keeps its sequence, so that a seed keeps its country', () => {
    expect(first(1, 'vital', 0)).toEqual([653762330, 1674297439, 1641185456, 4282889976]);
  });

  it('covers a range evenly, both ends included', () => {
    const prng = new Prng(1, 'vital');
    const drawn = Array.from({ length: 60_000 }, () => prng.between(0, 5));
    const counts = [0, 1, 2, 3, 4, 5].map((number) => drawn.filter((one) => one === number).length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(60_000);
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it('picks the first of a ranked list about twice as often as the second', () => {
    const prng = new Prng(1, 'vital');
    const list = Array.from({ length: 100 }, (_, rank) => rank);
    const counts = new Map<number, number>();
    for (let time = 0; time < 50_000; time++) {
      const rank = prng.pickByRank(list);
      counts.set(rank, (counts.get(rank) ?? 0) + 1);
    }
    const ratio = (counts.get(0) ?? 0) / (counts.get(1) ?? 1);
    expect(ratio).toBeGreaterThan(1.5);
    expect(ratio).toBeLessThan(2);
    expect(counts.size).toBe(100);
  });

  it('fails to pick from nothing', () => {
    expect(() => new Prng(1, 'vital').pick([])).toThrow(RangeError);
    expect(() => new Prng(1, 'vital').pickByRank([])).toThrow(RangeError);
  });
});
