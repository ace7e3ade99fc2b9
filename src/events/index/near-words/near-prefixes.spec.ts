import { prefixesOfNumbers, triedLetters } from './near-prefixes.js';

const SEARCHED = '1234567890';

const lookUpsWith = (letters: string | undefined, addresses: boolean): number =>
  prefixesOfNumbers(Array.from(SEARCHED), 2, 5, triedLetters(SEARCHED, { letters, addresses })).length;

describe('the look-ups of a near number', () => {
  it('are few where numbers in blocks are known to have digits alone, and no address can be near', () => {
    expect([
      lookUpsWith('', false),
      lookUpsWith('', true),
      lookUpsWith('xy', false),
      lookUpsWith(undefined, true),
    ]).toEqual([202, 222, 242, 742]);
  });

  it('try the letters of the searched word as well, which may be exchanged in an address', () => {
    expect(triedLetters('12z', { letters: '', addresses: true })).toEqual({
      letters: Array.from('0123456789z@'),
      addresses: true,
    });
  });
});
