import { isNumberOrEmail } from './is-number-or-email.js';

describe('isNumberOrEmail', () => {
  it.each([
    ['123', true],
    ['a1b2c3d', true],
    ['2024-02-20', true],
    ['ama@post.example', true],
    ['@', true],
    ['12', false],
    ['a1b2c', false],
    ['ama', false],
    ['', false],
    ['١٢٣٤', false],
    ['123я', false],
    ['ämä@post.example', false],
    ['1 2 3', false],
  ])('of %p is %p', (word, is) => {
    expect(isNumberOrEmail(word)).toBe(is);
  });

  it('tells of a long word at once', () => {
    // What goes back to each of its digits takes centuries.
    expect(isNumberOrEmail(`${'1'.repeat(100_000)}я`)).toBe(false);
    expect(isNumberOrEmail(`${'1@'.repeat(100_000)}я`)).toBe(false);
  });
});
