import { Prng, Weighted } from './prng.js';

describe('weighted items', () => {
  it('are drawn as often as their weights say', () => {
    const table = new Weighted([
      [1, 'rare'],
      [0, 'never'],
      [9, 'usual'],
    ]);
    const prng = new Prng(5, 'vital');
    const drawn = { rare: 0, never: 0, usual: 0 };
    for (let time = 0; time < 10_000; time++) drawn[table.draw(prng) as keyof typeof drawn] += 1;
    expect(drawn.never).toBe(0);
    expect(drawn.rare).toBeGreaterThan(900);
    expect(drawn.rare).toBeLessThan(1_100);
  });

  it('fail when there are none', () => {
    expect(() => new Weighted([]).draw(new Prng(1, 'vital'))).toThrow(RangeError);
  });
});
