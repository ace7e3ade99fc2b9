import fc from 'fast-check';

import { exactJson } from './json.js';

describe('exactJson', () => {
  it('is what JSON.parse makes of whatever JSON.stringify writes', () => {
    const aValue = fc.oneof(
      fc.jsonValue(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.stringMatching(/^[\d.e"\\-]{0,40}$/),
    );
    fc.assert(
      fc.property(aValue, fc.nat(2), (value, spaces) => {
        const text = JSON.stringify({ value, list: [value] }, null, spaces);
        expect(exactJson(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '12345678901234567890',
    '0.1234567890123456789',
    '-9007199254740993',
    '1.00000000000000001',
    '1e-400',
    '1e400',
    `0.${'0'.repeat(400)}1`,
    `1${'0'.repeat(100_000)}1`,
  ])('has no number for %s, which would lose digits, wherever it stands (E-3)', (number) => {
    expect(exactJson(`[{"\\"1":${number}},${number}, ${number} ]`)).toEqual([{ '"1': Infinity }, Infinity, Infinity]);
  });

  it.each([
    ['1234567890123.4500', 1234567890123.45],
    ['0.1000000000000000000', 0.1],
    ['1000000000000000000000', 1e21],
    ['100000000000000000000000e-20', 1000],
    ['-0.0000000000000000', -0],
    ['0e-999', 0],
    ['5e-324', 5e-324],
    ['1.7976931348623157e308', Number.MAX_VALUE],
  ])('keeps %s, which loses none', (text, number) => {
    expect(exactJson(text)).toBe(number);
  });

  it('leaves digits in texts alone', () => {
    const text = '{"12345678901234567890":"1e-999, 12345678901234567890 \\" 0.12345678901234567890"}';
    expect(exactJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '01234567890123456789',
    '1.2.34567890123456789',
    '[12345678901234567890',
    '12345678901234567890 1',
    '"12345678901234567890',
  ])('throws for %s, which is no JSON', (text) => {
    expect(() => exactJson(text)).toThrow(SyntaxError);
  });
});
