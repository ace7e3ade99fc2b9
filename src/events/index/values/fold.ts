import asciiFolding from 'fold-to-ascii';

import { cleanText, withAsciiDigits, withoutInvisible } from '../../../kernel/domain/clean-text.js';
import { normalForm } from './normal-form.js';

const rows = (pairs: readonly (readonly [from: number, to: number])[], count: number): (readonly [string, string])[] =>
  pairs.flatMap(([from, to]) =>
    Array.from({ length: count }, (_, at): [string, string] => [
      String.fromCodePoint(from + at),
      String.fromCodePoint(to + at),
    ]),
  );

/** ሐ and ኀ as ሀ, ሠ as ሰ, ዐ as አ, ፀ as ጸ, in their seven vowels. */
const ETHIOPIC = rows(
  [
    [0x1210, 0x1200],
    [0x1280, 0x1200],
    [0x1220, 0x1230],
    [0x12d0, 0x12a0],
    [0x1340, 0x1338],
  ],
  7,
);

/** Letters that are variants of another, and that Unicode does not decompose (S-11); ASCII folding has ə as a. */
const VARIANTS: ReadonlyMap<string, string> = new Map([
  ...([
    ['ς', 'σ'],
    ['ə', 'e'],
    ['ک', 'ك'],
    ['ی', 'ي'],
    ['ى', 'ي'],
    ['ہ', 'ه'],
    ['ة', 'ه'],
    ['ۃ', 'ه'],
    ['ٱ', 'ا'],
    ['ـ', ''],
    ['ৎ', 'ত্'],
  ] as const),
  ...ETHIOPIC,
]);

const ASCII = /^[\u0020-\u007e]*$/;
/**
 * Accents and points. The vowel signs of Indic and South East Asian scripts are letters in all but name, and the
 * voicing marks of kana distinguish letters.
 */
const POINT = /(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/gu;
/** Apostrophes and what stands for one, and the three characters that are canonically one of them. */
const APOSTROPHE =
  /['`\u00b4\u02b9\u02bb-\u02bf\u0374\u1fef\u1ffd\u2018\u2019\u201b\u2032\u055a\u05f3\ua78b\ua78c\uff07]/g;
const VARIANT = new RegExp(`[${[...VARIANTS.keys()].join('')}]`, 'g');
const LATIN = /(?![a-z])\p{Script=Latin}/gu;
const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;
const EMAIL = /^[^@\p{White_Space}]+@[^@\p{White_Space}]+$/u;
/** From the first letter to the last. */
const WITHOUT_PUNCTUATION_AROUND = /[\p{L}\p{M}\p{Nd}@](?:.*[\p{L}\p{M}\p{Nd}@])?/su;

/**
 * A word without its diacritics and letter case (S-11): without apostrophes and what shows nothing; NFKD; marks removed
 * whose Script is Inherited, except U+3099 and U+309A, or Arabic, Hebrew or Syriac; lower-cased by Unicode rules; digits
 * and Latin letters as in ASCII, and variants of a letter as one. `fold('Żółć')` is `zolc`, `fold('Ægir')` is `aegir`.
 * Folding twice changes nothing. Stored terms and words depend on this: changing it requires a new version of the
 * derived data (Q-5).
 */
export function fold(word: string): string {
  const joined = joinedText(word);
  if (ASCII.test(joined)) return joined.toLowerCase();
  const plain = normalForm(joined, 'NFKD').replace(POINT, '').replace(APOSTROPHE, '').toLowerCase();
  return withAsciiDigits(plain)
    .replace(VARIANT, (letter) => VARIANTS.get(letter) ?? letter)
    .replace(LATIN, latinLetter);
}

/** Some letters are in the table as capitals alone, and some small ones become capitals. */
function latinLetter(letter: string): string {
  const folded = asciiFolding.foldMaintaining(letter);
  const found = folded === letter ? asciiFolding.foldMaintaining(letter.toUpperCase()) : folded;
  return ASCII.test(found) ? found.toLowerCase() : letter;
}

/**
 * The words of a text, folded, each once (S-11). What joins is taken out first; the text is split on anything that is
 * not a letter, mark or digit, and again where folding produces such a character (U+FDFA is four words). An e-mail address
 * (no white space, one `@` with something on both sides) stays whole, without the punctuation around it.
 */
export const wordsOf = (text: string): string[] => unique(wordsInOrder(text));

/** The same in their order, with those that are there more than once. */
export function wordsInOrder(text: string): string[] {
  const joined = joinedText(text);
  return joined.includes('@') ? wordsOfChunks(joined.split(/\p{White_Space}+/u)) : splitWords(joined);
}

/** Those without an `@` between two others are split at once, which is much faster than one by one. */
function wordsOfChunks(chunks: readonly string[]): string[] {
  const words: string[][] = [];
  let plain: string[] = [];
  for (const chunk of chunks) {
    if (!chunk.includes('@')) plain.push(chunk);
    else {
      words.push(splitWords(plain.join(' ')), wordsOfChunk(chunk));
      plain = [];
    }
  }
  words.push(splitWords(plain.join(' ')));
  return words.flat();
}

/** The text without apostrophes and what shows nothing, as it is split into words. */
export const joinedText = (text: string): string =>
  (ASCII.test(text) ? text : withoutInvisible(text)).replace(APOSTROPHE, '');

function wordsOfChunk(chunk: string): string[] {
  if (!EMAIL.test(chunk)) return splitWords(chunk);
  const email = fold(WITHOUT_PUNCTUATION_AROUND.exec(chunk)?.[0] ?? '');
  return EMAIL.test(email) ? [email] : splitWords(chunk);
}

/** Whether a text contains only visible ASCII characters and spaces. */
export const isPlainAscii = (text: string): boolean => ASCII.test(text);

/** The parts of a text between characters that are neither ASCII letters nor digits, each once; expects lower case. */
export const plainWords = (text: string): string[] => unique(splitPlain(text));

/** By hand, and without a growing list for the single word of most texts: a pattern takes ten times as much memory. */
function splitPlain(text: string): string[] {
  let words: string[] | undefined;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (isPlainLetter(text.charCodeAt(at))) continue;
    if (at > start) {
      const word = text.slice(start, at);
      if (words === undefined) words = [word];
      else words.push(word);
    }
    start = at + 1;
  }
  return words ?? [];
}

/** `a` to `z`, `0` to `9`; false past the end of a text, where the unit is NaN. */
const isPlainLetter = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);

const unique = (words: string[]): string[] => (words.length < 2 ? words : [...new Set(words)]);

function splitWords(text: string): string[] {
  if (ASCII.test(text)) return splitPlain(text.toLowerCase());
  // Together, as a space keeps them apart: one by one takes ten times as long.
  return fold(text.match(WORD)?.join(' ') ?? '').match(WORD) ?? [];
}

/**
 * A form that is equal for texts that differ only in letter case and in what `cleanText` cleans (S-10): lower-cased by
 * Unicode rules, both small sigmas as one, composed (NFC), so that two spellings of one accented letter are equal.
 * Letters stay letters: here `ß` is not `ss`, nor `é` `e`.
 */
export function ignoringCase(text: string): string {
  const clean = cleanText(text);
  if (ASCII.test(clean)) return clean.toLowerCase();
  return normalForm(clean.toLowerCase().replaceAll('ς', 'σ'), 'NFC');
}
