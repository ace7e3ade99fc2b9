import { Prng } from './prng.js';
import { withTypingError } from './person.js';

const variants = (text: string): Set<string> => {
  const prng = new Prng(1, 'respelling');
  return new Set(Array.from({ length: 400 }, () => withTypingError(prng, text)));
};

describe('a typing error', () => {
  it('swaps two letters, leaves one out, doubles one, or strikes another one in its place', () => {
    const found = variants('Peña');
    expect([...found]).toEqual(expect.arrayContaining(['Epña', 'Pña', 'Peñña', 'Peñe', 'Ñeña']));
    for (const one of found) expect(Math.abs(one.length - 'Peña'.length)).toBeLessThanOrEqual(1);
  });

  it('stays in the script of the text', () => {
    for (const one of variants('Шевченко')) expect(one).toMatch(/^\p{Script=Cyrillic}+$/u);
    for (const one of variants('ተስፋዬ')) expect(one).toMatch(/^\p{Script=Ethiopic}+$/u);
  });

  it('never takes a mark from its letter or a text apart', () => {
    for (const one of variants('अनीता')) expect(one).toMatch(/^(?:\p{L}\p{M}*)+$/u);
    expect(variants('O’')).toContain('Oo’');
    expect(variants('伟').has('')).toBe(false);
  });
});
