import fc from 'fast-check';

import { fold, ignoringCase, wordsOf } from './fold.js';

describe('fold', () => {
  it.each([
    ['Chloé', 'chloe'],
    ['CHLOE\u0301', 'chloe'],
    ['Łukasz', 'lukasz'],
    ['Søren', 'soren'],
    ['ĐorĐe', 'dorde'],
    ['Ħal', 'hal'],
    ['ISPARTA', 'isparta'],
    ['ısparta', 'isparta'],
    ['İzmir', 'izmir'],
    ['STRAẞE', 'strasse'],
    ['Æsir', 'aesir'],
    ['Œuvre', 'oeuvre'],
    ['Þór', 'thor'],
    ['Guðrún', 'gudrun'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ﬁn', 'fin'],
    ['①', '1'],
    ['Иванов', 'иванов'],
    ['محمّد', 'محمد'],
    ['김', '김'.normalize('NFKD')],
  ])('reads %s as %s', (word, folded) => {
    expect(fold(word)).toBe(folded);
  });

  it('changes nothing when done twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });
});

describe('wordsOf', () => {
  it.each([
    ['Mary-Jane O’Neil', ['mary', 'jane', 'o', 'neil']],
    ['  Ama   ama AMÁ ', ['ama']],
    ['House 12/B', ['house', '12', 'b']],
    ['ask ama.k@Post.example now', ['ask', 'ama.k@post.example', 'now']],
    ['a@b@c @d e@', ['a', 'b', 'c', 'd', 'e']],
    ['2024-02-20', ['2024', '02', '20']],
    ['\u0301', []],
    ['?!', []],
    ['', []],
  ])('finds in %p the words %p', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('ignoringCase', () => {
  it.each([
    ['Ama', 'AMA', true],
    ['ÉLODIE', 'élodie', true],
    ['E\u0301lodie', 'Élodie', true],
    ['ΟΔΟΣ', 'οδοσ', true],
    ['ẞ', 'ß', true],
    ['STRASSE', 'straße', false],
    ['Elodie', 'Élodie', false],
    ['ISIK', 'ısık', false],
    ['Ama', 'Ama ', false],
  ])('of %p and %p the same: %p', (left, right, same) => {
    expect(ignoringCase(left) === ignoringCase(right)).toBe(same);
  });
});
