import { HashedPrefix } from './term-hash.js';

const hashOf = (text: string): bigint => new HashedPrefix('').hash(text, 0);

describe('the hash of a text', () => {
  it.each([
    ['', 'a', 0, 2176434799517248930n],
    ['status=', 'REGISTERED', 0, -3357705105905934204n],
    ['word 10 child.name ', 'musonda', 0, -8069963396058371758n],
    ['word 10 child.name ', 'musonda', 1, -8069963396058371757n],
    ['text 10 child.name ', 'łóść 😀', 0, 3522558009529670430n],
  ] as const)('of %p with %p behind it, of kind %p, is %p for ever', (prefix, rest, kind, hash) => {
    expect(new HashedPrefix(prefix).hash(rest, kind)).toBe(hash);
  });

  it('does not depend on where the prefix ends', () => {
    const text = 'text 10 child.name łóść 😀';
    for (let at = 0; at <= text.length; at++) {
      expect(new HashedPrefix(text.slice(0, at)).hash(text.slice(at), 0)).toBe(hashOf(text));
    }
  });

  it('fits into a bigint of Postgres', () => {
    const hashes = numbered(1_000).map(hashOf);
    expect(hashes.every((hash) => BigInt.asIntN(64, hash) === hash)).toBe(true);
    expect(hashes.some((hash) => hash < 0n)).toBe(true);
  });

  it('of one kind is never that of the other', () => {
    for (const text of numbered(1_000)) {
      expect(hashOf(text) & 1n).toBe(0n);
      expect(new HashedPrefix('').hash(text, 1) & 1n).toBe(1n);
    }
  });

  it('tells texts apart that differ in a few digits, and each half of it as a random one would', () => {
    const hashes = numbered(300_000).map(hashOf);
    const collisions = (values: readonly (bigint | number)[]): number => values.length - new Set(values).size;
    expect(collisions(hashes)).toBe(0);
    // A random 32-bit value collides n² / 2^33 times, which is 10, with a standard deviation of 3; of 31 bits twice as
    // often.
    expect(collisions(hashes.map((hash) => Number(hash >> 32n)))).toBeLessThan(25);
    expect(collisions(hashes.map((hash) => Number((hash & 0xffffffffn) >> 1n)))).toBeLessThan(45);
  });
});

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `text 10 mother.nid ${1_000_000_000 + at}`);
