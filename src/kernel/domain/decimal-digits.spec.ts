import { withAsciiDigits } from './text.js';

it('reads the decimal digits of every script of Unicode by their value', () => {
  const wrong: string[] = [];
  let count = 0;
  let row = 0;
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const char = String.fromCodePoint(code);
    if (!/\p{Nd}/u.test(char)) {
      row = 0;
      continue;
    }
    if (withAsciiDigits(char) !== String(row % 10)) wrong.push(char);
    count += 1;
    row += 1;
  }
  expect([wrong, count % 10]).toEqual([[], 0]);
});

it.each([
  ['১২৩456', '123456'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['𝟎𝟗𝟘𝟡', '0909'],
  ['½ Ⅳ a', '½ Ⅳ a'],
])('of %s makes %s', (text, ascii) => {
  expect(withAsciiDigits(text)).toBe(ascii);
});
