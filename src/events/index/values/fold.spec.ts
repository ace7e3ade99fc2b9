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
    // Vowel signs are letters; accents and points are not.
    ['রিমা', 'রিমা'],
    ['अनीता', 'अनीता'],
    ['สมชาย์', 'สมชาย์'],
    ['ខ្មែរ', 'ខ្មែរ'],
    ['अ\u0951नीता', 'अनीता'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['ܫܠܳܡܐ', 'ܫܠܡܐ'],
    ['ガ', 'カ\u3099'],
    ['パ', 'ハ\u309a'],
    ['😀\ufe0f', '😀'],
    // Letters that do not decompose.
    ['ƁƊƘƳŊƝƆƐƉƲƗ', 'bdkynnoedvi'],
    ['ɓɗƙƴŋɲɔɛɖʋɨ', 'bdkynnoedvi'],
    ['Əhməd', 'ehmed'],
    ['Ǝǝ', 'ee'],
    ['ʀɴ', 'rn'],
    ['ɶ', 'oe'],
    ['ɣʒ', 'ɣʒ'],
    // Variants of one letter.
    ['علی کریمی', 'علي كريمي'],
    ['مصطفى', 'مصطفي'],
    ['رحمۃ اللہ', 'رحمه الله'],
    ['فاطمة', 'فاطمه'],
    ['محـــمد أحمد إبراهيم آدم ٱسم', 'محمد احمد ابراهيم ادم اسم'],
    ['مؤمن رئيس', 'مومن رييس'],
    ['ሐሑሒሓሔሕሖ ኀኁኂኃኄኅኆ', 'ሀሁሂሃሄህሆ ሀሁሂሃሄህሆ'],
    ['ሠሡሢሣሤሥሦ ዐዑዒዓዔዕዖ ፀፁፂፃፄፅፆ', 'ሰሱሲሳሴስሶ አኡኢኣኤእኦ ጸጹጺጻጼጽጾ'],
    ['ሗ ሧ', 'ሗ ሧ'],
    ['উৎপল', 'উত্পল'],
    // What joins and what shows nothing.
    ["Ng'ang'a", 'nganga'],
    ['O’Brien', 'obrien'],
    ['Anto\u00adnia', 'antonia'],
    ['১٢', '12'],
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
    ['Mary-Jane O’Neil', ['mary', 'jane', 'oneil']],
    ['  Ama   ama AMÁ ', ['ama']],
    ['House 12/B', ['house', '12', 'b']],
    ['ask ama.k@Post.example now', ['ask', 'ama.k@post.example', 'now']],
    ['a@b@c @d e@', ['a', 'b', 'c', 'd', 'e']],
    ['2024-02-20', ['2024', '02', '20']],
    // What a folding splits counts as several words; what a joiner connects counts as one.
    ['\ufdfa', ['صلي', 'الله', 'عليه', 'وسلم']],
    ['محمد\ufdfa', ['محمدصلي', 'الله', 'عليه', 'وسلم']],
    ['\u0149', ['n']],
    ['می\u200cخواهم', ['ميخواهم']],
    ['ක්\u200dරි', ['ක්රි']],
    ['a\u200d b', ['a', 'b']],
    ['সুখ\u200bভাব', ['সুখভাব']],
    [`N'Di\u2019a\u2018y\u02bce \u02bb\`\u00b4\u02b9\uff07\u2032\u201b\ua78c\u055a\u05f3\u02bex`, ['ndiaye', 'x']],
    ['Twin ২', ['twin', '2']],
    ["o'neil@post.example", ['oneil@post.example']],
    ['\u200d', []],
    // E-mail addresses, without the punctuation around them.
    ['Bob <bob@example.com>,', ['bob', 'bob@example.com']],
    ['(mailto:«Bób@Example.com».)', ['mailto:«bob@example.com']],
    ['<bob@>, <@bob>', ['bob']],
    ['bob\u200d@example.com', ['bob@example.com']],
    ['bob@example.com,ann@example.com', ['bob', 'example', 'com', 'ann']],
    ['bob@\u0301', ['bob']],
    ['\ufdfa@x', ['صلي', 'الله', 'عليه', 'وسلم', 'x']],
    ['bob＠example.com', ['bob', 'example', 'com']],
    ['\u0301', []],
    ['?!', []],
    ['', []],
  ])('finds in %p the words %p', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('words', () => {
  it('are made of letters, marks and digits alone, unless they are e-mail addresses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of wordsOf(text)) expect(word).toMatch(/^[\p{L}\p{M}\p{Nd}]+$|^[^@\s]+@[^@\s]+$/u);
      }),
    );
  });

  it('are those of the text in any spelling of it that folding makes one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(wordsOf(text.normalize('NFD'))).toEqual(wordsOf(text.normalize('NFC')));
      }),
    );
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
    ['Ama', '\u200e Ama\u00a0', true],
    ['Kivu  Nord', 'kivu\tnord', true],
    ['১২', '12', true],
    ['Kivunord', 'Kivu Nord', false],
  ])('of %p and %p the same: %p', (left, right, same) => {
    expect(ignoringCase(left) === ignoringCase(right)).toBe(same);
  });
});
