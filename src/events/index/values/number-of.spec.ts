import { numberOf } from './number-of.js';

describe('numberOf', () => {
  it.each([
    ['3', 3],
    ['3.0', 3],
    ['3.', 3],
    ['+3', 3],
    ['003', 3],
    ['.5', 0.5],
    ['-1e3', -1000],
    ['-1E+3', -1000],
    ['30e-1', 3],
    ['0.1', 0.1],
    ['-0', 0],
    ['1e-999', 0],
    ['9007199254740993', 9007199254740992],
  ])('reads %j as %d', (term, number) => {
    expect(numberOf(term)).toBe(number);
  });

  it.each(['', ' ', '3 ', '.', 'e3', '3e', '1,000', '0x10', '1_000', 'NaN', 'Infinity', '1e999', '3a', '٣'])(
    'reads no number in %j',
    (term) => {
      expect(numberOf(term)).toBeUndefined();
    },
  );
});
