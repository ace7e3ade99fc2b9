import type { BlockProbe, Direction } from './block-probe.js';

export const DIGITS: readonly string[] = Array.from('0123456789');
/** Beside digits: words split on all others. */
const BESIDE_DIGITS = 'abcdefghijklmnopqrstuvwxyz';
/** The characters of an e-mail address, in lower case. */
const EVERY_LETTER: readonly string[] = Array.from({ length: 0x7f - 0x21 }, (_, at) =>
  String.fromCharCode(0x21 + at),
).filter((letter) => letter === letter.toLowerCase());

export interface NumbersInBlocks {
  /** Beside digits, each once; undefined if unknown. */
  readonly letters: string | undefined;
  /** By length. */
  readonly addresses: boolean;
}

/** Letters tried as replacements. */
export interface TriedLetters {
  /** With `addresses`, an `@` as well. */
  readonly letters: readonly string[];
  readonly addresses: boolean;
}

/** Most countries use digits alone, a quarter of all look-ups. */
export function triedLetters(searched: string, { letters = BESIDE_DIGITS, addresses }: NumbersInBlocks): TriedLetters {
  // Exchanges may affect two letters of the word.
  const tried = new Set([...DIGITS, ...Array.from(letters), ...Array.from(searched)]);
  if (addresses) tried.add('@');
  return { letters: [...tried], addresses };
}

/** Longer prefixes hardly select further, and cost more probes. A near half has a near prefix. */
const MOST_LETTERS = 24;

const STORED = /^[!-~]*$/;

/** Sorts before every letter. */
export const END_OF_WORD = ' ';

/** Few blocks of names share a longer prefix. */
const MOST_LETTERS_OF_NAMES = 6;

/**
 * Entry prefixes of near numbers and addresses (S-11), within `most` edits (1 or 2). A near word begins within one edit
 * of the first `split` letters, or ends within one edit of the others. An exchange across the halves counts as a
 * replacement in each.
 */
export function prefixesOfNumbers(
  searched: readonly string[],
  most: 1 | 2,
  split: number,
  { letters, addresses }: TriedLetters,
): readonly BlockProbe[] {
  const isPlain = !searched.includes('@');
  // A near number has three digits.
  if (isPlain && !searched.some((letter) => letter >= '0' && letter <= '9'))
    return addresses ? prefixesOfAddresses(searched) : [];
  const tried = isPlain ? letters : EVERY_LETTER;
  if (most === 1) return wholeWords('f', oneEditFrom(searched, tried, 'whole'));
  return halves(['f', 'r'], searched, split, tried, MOST_LETTERS);
}

/** By `nameLettersOf`; `letters` are those of stored names. Words of one or two letters have no others nearby. */
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

/** A superset, in the direction of `searched`. */
export function lettersAfter(
  prefix: string,
  searched: readonly string[],
  { letters, addresses }: TriedLetters,
): readonly string[] {
  if (searched.includes('@')) return EVERY_LETTER;
  if (!addresses) return letters;
  // The `@` is one edit, punctuation perhaps the other.
  const isUnchanged = searched.slice(0, prefix.length).join('') === prefix;
  return isUnchanged || prefix.includes('@') ? EVERY_LETTER : letters;
}

/** One edit inserted the `@`. */
const prefixesOfAddresses = (searched: readonly string[]): readonly BlockProbe[] => [
  ...probesOf('f', beforeAt(searched)),
  ...probesOf('r', beforeAt(searched.toReversed())),
];

const beforeAt = (letters: readonly string[]): Iterable<string> =>
  Array.from({ length: letters.length + 1 }, (_, at) => `${letters.slice(0, at).join('')}@`);

const probesOf = (direction: Direction, prefixes: Iterable<string>): readonly BlockProbe[] =>
  Array.from(prefixes).flatMap((prefix) => (STORED.test(prefix) ? [{ direction, prefix }] : []));

/** At most one edit away, as prefixes. */
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
