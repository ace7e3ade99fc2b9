import { termHash } from './term-hash.js';

describe('termHash', () => {
  it.each([
    ['', 851239128801675709n],
    ['a', -3933433295958237578n],
    ['status=REGISTERED', -6243793551222042100n],
    ['data/child.name word=musonda', -8537569910089861494n],
    ['data/child.name text=łóść 😀', 8166394538256520806n],
  ])('of %p is %p for ever', (text, hash) => {
    expect(termHash(text)).toBe(hash);
  });

  it('fits into a bigint of Postgres', () => {
    const hashes = numbered(1_000).map(termHash);
    expect(hashes.every((hash) => BigInt.asIntN(64, hash) === hash)).toBe(true);
    expect(hashes.some((hash) => hash < 0n)).toBe(true);
  });

  it('tells texts apart that differ in a few digits, and each half of it as a random one would', () => {
    const hashes = numbered(300_000).map(termHash);
    const collisions = (values: readonly (bigint | number)[]): number => values.length - new Set(values).size;
    expect(collisions(hashes)).toBe(0);
    // A random 32-bit value collides n² / 2^33 times, which is 10, with a standard deviation of 3.
    expect(collisions(hashes.map((hash) => Number(hash >> 32n)))).toBeLessThan(25);
    expect(collisions(hashes.map((hash) => Number(hash & 0xffffffffn)))).toBeLessThan(25);
  });
});

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `data/mother.nid text=${1_000_000_000 + at}`);
