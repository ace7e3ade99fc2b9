import type { BlockProbe, Direction } from './block-probe.js';

export const DIGITS: readonly string[] = Array.from('0123456789');
/** What a number may have beside digits: words are split on all others. */
const BESIDE_DIGITS = 'abcdefghijklmnopqrstuvwxyz';
/** The characters of an e-mail address, in lower case. */
const EVERY_LETTER: readonly string[] = Array.from({ length: 0x7f - 0x21 }, (_, at) =>
  String.fromCharCode(0x21 + at),
).filter((letter) => letter === letter.toLowerCase());

/** What is known of the numbers and addresses in blocks. */
export interface NumbersInBlocks {
  /** What numbers have beside digits, each once; undefined where that is not known. */
  readonly letters: string | undefined;
  /** Whether an address may be near, as far as its length tells. */
  readonly addresses: boolean;
}

/** What is tried in the place of other letters, to find near numbers. */
export interface TriedLetters {
  /** With `addresses`, an `@` as well. */
  readonly letters: readonly string[];
  readonly addresses: boolean;
}

/** In most countries numbers have digits alone: the others would be three quarters of all look-ups. */
export function triedLetters(searched: string, { letters = BESIDE_DIGITS, addresses }: NumbersInBlocks): TriedLetters {
  // Two letters of the searched word may be exchanged in a near address, whose letters are not known.
  const tried = new Set([...DIGITS, ...Array.from(letters), ...Array.from(searched)]);
  if (addresses) tried.add('@');
  return { letters: [...tried], addresses };
}

/**
 * Only so many letters of a half are looked up: what is at most one edit from the half begins with what is at most one
 * edit from its beginning. Few numbers begin alike in more letters, and each letter takes further probes.
 */
const MOST_LETTERS = 24;

/** Entries consist of these characters. */
const STORED = /^[!-~]*$/;

/** Stands after the word in an entry, and sorts before every letter. */
export const END_OF_WORD = ' ';

/** The same for names: few blocks of them begin alike in more letters. */
const MOST_LETTERS_OF_NAMES = 6;

/**
 * What the entries of all near numbers and addresses begin with (S-11). They are at most `most` edits from the searched
 * word, 1 or 2. Of two, one half of the word has at most one, and so does one half where both ends of an exchange are
 * in different halves, if the exchange is counted as a replaced letter in each. So every near word begins with what is
 * at most one edit from the first `split` letters, or ends with what is at most one edit from the others.
 */
export function prefixesOfNumbers(
  searched: readonly string[],
  most: 1 | 2,
  split: number,
  { letters, addresses }: TriedLetters,
): readonly BlockProbe[] {
  const isPlain = !searched.includes('@');
  // A searched word without a digit is near no number: that would have three.
  if (isPlain && !searched.some((letter) => letter >= '0' && letter <= '9'))
    return addresses ? prefixesOfAddresses(searched) : [];
  const tried = isPlain ? letters : EVERY_LETTER;
  if (most === 1) return wholeWords('f', oneEditFrom(searched, tried, 'whole'));
  return halves(['f', 'r'], searched, split, tried, MOST_LETTERS);
}

/**
 * The same of names, by what they are sorted by (`nameLettersOf`), of which `letters` are all that there are. Words of
 * one or two letters are near no others.
 */
export function prefixesOfNames(
  searched: readonly string[],
  most: 0 | 1 | 2,
  split: number,
  letters: readonly string[],
): readonly BlockProbe[] {
  if (most === 0) return wholeWords('F', [searched.join('')]);
  if (most === 1) return wholeWords('F', oneEditFrom(searched, letters, 'whole'));
  return halves(['F', 'R'], searched, split, letters, MOST_LETTERS_OF_NAMES);
}

const wholeWords = (direction: Direction, words: Iterable<string>): readonly BlockProbe[] =>
  probesOf(direction, words).map(({ prefix }) => ({ direction, prefix: prefix + END_OF_WORD }));

function halves(
  [forward, backward]: readonly [Direction, Direction],
  searched: readonly string[],
  split: number,
  letters: readonly string[],
  most: number,
): readonly BlockProbe[] {
  const [first, second] = [searched.slice(0, split), searched.slice(split).toReversed()];
  return [
    ...probesOf(forward, oneEditFrom(first.slice(0, most), letters, 'beginning')),
    ...probesOf(backward, oneEditFrom(second.slice(0, most), letters, 'beginning')),
  ];
}

/** The letters that may follow a beginning of a near word, in the direction of `searched`; more than can, perhaps. */
export function lettersAfter(
  prefix: string,
  searched: readonly string[],
  { letters, addresses }: TriedLetters,
): readonly string[] {
  if (searched.includes('@')) return EVERY_LETTER;
  if (!addresses) return letters;
  // An address near a word without an `@` has one edit for that, and one for punctuation if there was no other.
  const isUnchanged = searched.slice(0, prefix.length).join('') === prefix;
  return isUnchanged || prefix.includes('@') ? EVERY_LETTER : letters;
}

/** An edit put the `@` in, and the other one is before or behind it. */
const prefixesOfAddresses = (searched: readonly string[]): readonly BlockProbe[] => [
  ...probesOf('f', beforeAt(searched)),
  ...probesOf('r', beforeAt(searched.toReversed())),
];

const beforeAt = (letters: readonly string[]): Iterable<string> =>
  Array.from({ length: letters.length + 1 }, (_, at) => `${letters.slice(0, at).join('')}@`);

const probesOf = (direction: Direction, prefixes: Iterable<string>): readonly BlockProbe[] =>
  Array.from(prefixes).flatMap((prefix) => (STORED.test(prefix) ? [{ direction, prefix }] : []));

/** At most one edit away; a beginning does not differ from others in what follows it. */
function oneEditFrom(given: readonly string[], letters: readonly string[], part: 'whole' | 'beginning'): Set<string> {
  const found = new Set([given.join('')]);
  for (let at = 0; at <= given.length; at++) {
    const [before, after] = [given.slice(0, at).join(''), given.slice(at)];
    if (at < given.length || part === 'whole')
      for (const letter of letters) found.add(before + letter + after.join(''));
    const [first, second, ...rest] = after;
    if (first === undefined) continue;
    const others = after.slice(1).join('');
    found.add(before + others);
    for (const letter of letters) found.add(before + letter + others);
    if (second !== undefined) found.add(before + second + first + rest.join(''));
  }
  return found;
}
