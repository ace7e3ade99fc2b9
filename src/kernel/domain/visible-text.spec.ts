import { isVisible, trimmed, withoutInvisible } from './text.js';

it.each([
  '',
  ' \t\n',
  '\u00a0\u3000',
  '\u200b\u00ad\u2060\ufeff',
  '\u200e\u202e\u2066',
  '\u3164\u115f\u034f',
  '\u2800\u0000\u0085',
])('nothing shows of %j', (text) => {
  expect(isVisible(text)).toBe(false);
});

it.each(['a', ' \u200b.', 'ஃ', '\u0301', '𐐷'])('something shows of %j', (text) => {
  expect(isVisible(text)).toBe(true);
});

it('white space and what shows nothing goes at the ends alone, or wherever it is', () => {
  const text = '\ufeff \u200fk.\u200bm weene\u00a0\u2060\n';
  expect([trimmed(text), withoutInvisible(text)]).toEqual(['k.\u200bm weene', ' k.m weene\u00a0\n']);
});
