import fc from 'fast-check';

import { byCodePoint } from './text.js';

describe('the order by code point', () => {
  it('puts code points beyond U+FFFF last, and a text before its continuations', () => {
    const sorted = ['', 'a', 'a\u{10000}', 'b', '\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10000}', '\u{10ffff}'];
    expect(sorted.toReversed().sort(byCodePoint)).toEqual(sorted);
  });

  it('is that of the bytes in UTF-8', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(byCodePoint(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
      }),
    );
  });
});
