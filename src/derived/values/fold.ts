import { normalForm } from './normal-form.js';

/** Letters without a decomposition, and the final form of sigma, as fuzzy search reads them (S-11). */
const UNDECOMPOSED: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
  ['ð', 'd'],
  ['ς', 'σ'],
]);

const ASCII = /^[\u0020-\u007e]*$/;
/**
 * Accents and points. The vowel signs of Indic and South East Asian scripts are letters in all but name, and the
 * voicing marks of kana distinguish letters.
 */
const POINT = /(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/gu;
/** Zero-width joiner and non-joiner: they affect how letters are drawn within a word. */
const JOINER = /[\u200c\u200d]/g;
const FOLDABLE = /[łøđħıßæœþðς]/g;
const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;
const EMAIL = /^[^@\s]+@[^@\s]+$/u;
/** From the first letter to the last. */
const WITHOUT_PUNCTUATION_AROUND = /[\p{L}\p{M}\p{Nd}@](?:.*[\p{L}\p{M}\p{Nd}@])?/su;

/**
 * A word without its diacritics and letter case (S-11): NFKD; marks removed whose Script is Inherited, except U+3099
 * and U+309A, or Arabic, Hebrew or Syriac; lower-cased by Unicode rules, and the letters that do not decompose by a
 * table. `fold('Żółć')` is `zolc`, `fold('Ægir')` is `aegir`. Folding twice changes nothing. Stored terms and words
 * depend on this: changing it requires a new version of the derived data.
 */
export function fold(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  return normalForm(word, 'NFKD')
    .replace(POINT, '')
    .toLowerCase()
    .replace(FOLDABLE, (letter) => UNDECOMPOSED.get(letter) ?? letter);
}

/**
 * The words of a text, folded, each once (S-11). Joiners are dropped first; the text is split on anything that is not a
 * letter, mark or digit, and again where folding produces such a character (U+FDFA is four words). An e-mail address
 * (no white space, one `@` with something on both sides) stays whole, without the punctuation around it.
 */
export function wordsOf(text: string): string[] {
  const joined = withoutJoiners(text);
  return unique(joined.includes('@') ? wordsOfChunks(joined.split(/\s+/u)) : splitWords(joined));
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

/** The text without joiners, as it is split into words. */
export const withoutJoiners = (text: string): string => (ASCII.test(text) ? text : text.replace(JOINER, ''));

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
 * A form that is equal for texts that differ only in letter case (S-10): lower-cased by Unicode rules, both small
 * sigmas as one, composed (NFC), so that two spellings of one accented letter are equal. Letters stay letters: here `ß`
 * is not `ss`, nor `é` `e`.
 */
export function ignoringCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return normalForm(text.toLowerCase().replaceAll('ς', 'σ'), 'NFC');
}
