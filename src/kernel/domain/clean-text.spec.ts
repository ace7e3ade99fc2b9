import fc from 'fast-check';

import { cleanText } from './text.js';

describe('cleanText', () => {
  it.each([
    ['Kivu Nord', 'Kivu Nord'],
    ['', ''],
    [' ', ''],
    ['  Kivu \t\u00a0\u0085\u2003 Nord\u3000', 'Kivu Nord'],
    ['\u200e9876501234\u200e', '9876501234'],
    ['a\u200b\u00ad\u2060\ufeff\u200d\u202e\u115fb', 'ab'],
    ['a \u200b b', 'a b'],
    ['\u200b \u200b', ''],
    ['১২৩', '123'],
    ['٠٩۰۹०९၀၉０９\u{1d7d8}\u{1d7e1}\u{1d7ff}', '0909090909099'],
    ['①²', '①²'],
  ])('of %j is %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('changes nothing when done twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanText(cleanText(text))).toBe(cleanText(text));
      }),
    );
  });

  it('takes a time that grows with the length alone', () => {
    expect(cleanText(`${'a '.repeat(500_000)} `)).toHaveLength(999_999);
  });
});
