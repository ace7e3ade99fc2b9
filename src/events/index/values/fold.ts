import asciiFolding from 'fold-to-ascii';
import { cleanText, withAsciiDigits, withoutInvisible } from '../../../kernel/domain/text.js';

export type NormalForm = 'NFC' | 'NFKD';

/** Stream-Safe text (UAX 15, 13), as all natural text. */
const MOST_MARKS = 30;
/** Includes halfwidth kana voicing marks, which NFKD makes marks. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{31,}/gu;

const [LOWEST, HIGHEST] = ['\u0334', '\u0345'];
/** One mark per class seen, in order. */
const classes: string[] = [];
/** Each mark's representative in `classes`; undefined for a letter. */
const known = new Map<string, string | undefined>();

/** In linear time. ICU sorts marks by insertion: a hundred thousand take seconds, a million minutes. */
export function normalForm(text: string, form: NormalForm): string {
  if (text.length <= MOST_MARKS) return text.normalize(form);
  return text.replace(LONG_RUN, (run) => inOrder(run, form)).normalize(form);
}

/** A run of marks, decomposed, in canonical order. */
function inOrder(run: string, form: NormalForm): string {
  const ordered: string[] = [];
  const marks = new Map<string, string[]>();
  const endRun = (): void => {
    if (marks.size === 0) return;
    for (const one of classes) ordered.push(marks.get(one)?.join('') ?? '');
    marks.clear();
  };
  for (const written of run) {
    for (const character of written.normalize(form === 'NFC' ? 'NFD' : form)) {
      const one = classOf(character);
      if (one === undefined) {
        endRun();
        ordered.push(character);
      } else {
        const same = marks.get(one);
        if (same === undefined) marks.set(one, [character]);
        else same.push(character);
      }
    }
  }
  endRun();
  return ordered.join('');
}

/** The class's representative; undefined for class 0, as of letters. */
function classOf(character: string): string | undefined {
  if (known.has(character)) return known.get(character);
  const one = isMark(character) ? (classes.find((other) => isSame(character, other)) ?? added(character)) : undefined;
  known.set(character, one);
  return one;
}

function added(mark: string): string {
  const at = classes.findIndex((other) => isAfter(other, mark));
  classes.splice(at < 0 ? classes.length : at, 0, mark);
  return mark;
}

const isMark = (character: string): boolean => isAfter(character, LOWEST) || isAfter(HIGHEST, character);

const isSame = (one: string, other: string): boolean => !isAfter(one, other) && !isAfter(other, one);

/** Compares two decomposed characters by canonical order. */
const isAfter = (one: string, other: string): boolean => (one + other).normalize('NFD') !== one + other;

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

/** Variant letters without a Unicode decomposition (S-11); ASCII folding maps ə to a. */
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
 * Accents and points. Vowel signs of Indic and South East Asian scripts, and kana voicing marks, distinguish letters.
 */
const POINT = /(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/gu;
/** Apostrophes, their substitutes, and the three characters canonically equal to them. */
const APOSTROPHE =
  /['`\u00b4\u02b9\u02bb-\u02bf\u0374\u1fef\u1ffd\u2018\u2019\u201b\u2032\u055a\u05f3\ua78b\ua78c\uff07]/g;
const VARIANT = new RegExp(`[${[...VARIANTS.keys()].join('')}]`, 'g');
const LATIN = /(?![a-z])\p{Script=Latin}/gu;
const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;
const EMAIL = /^[^@\p{White_Space}]+@[^@\p{White_Space}]+$/u;
/** From the first letter to the last. */
const WITHOUT_PUNCTUATION_AROUND = /[\p{L}\p{M}\p{Nd}@](?:.*[\p{L}\p{M}\p{Nd}@])?/su;

/**
 * Without diacritics and letter case (S-11): without apostrophes and invisible characters; NFKD; without marks whose
 * Script is Inherited (except U+3099 and U+309A), Arabic, Hebrew or Syriac; Unicode lower case; digits, Latin letters
 * and variants unified. `fold('Żółć')` is `zolc`, `fold('Ægir')` is `aegir`. Idempotent. A change requires a new
 * version of the derived data (Q-5).
 */
export function fold(word: string): string {
  const joined = joinedText(word);
  if (ASCII.test(joined)) return joined.toLowerCase();
  const plain = normalForm(joined, 'NFKD').replace(POINT, '').replace(APOSTROPHE, '').toLowerCase();
  return withAsciiDigits(plain)
    .replace(VARIANT, (letter) => VARIANTS.get(letter) ?? letter)
    .replace(LATIN, latinLetter);
}

/** Some letters are listed as capitals only, some become capitals. */
function latinLetter(letter: string): string {
  const folded = asciiFolding.foldMaintaining(letter);
  const found = folded === letter ? asciiFolding.foldMaintaining(letter.toUpperCase()) : folded;
  return ASCII.test(found) ? found.toLowerCase() : letter;
}

/**
 * Distinct and folded (S-11). Joining characters are removed; the text splits on anything but letters, marks and
 * digits, also after folding (U+FDFA is four words). E-mail addresses (no white space, one inner `@`) stay whole,
 * without surrounding punctuation.
 */
export const wordsOf = (text: string): string[] => unique(wordsInOrder(text));

/** In order, with duplicates. */
export function wordsInOrder(text: string): string[] {
  const joined = joinedText(text);
  return joined.includes('@') ? wordsOfChunks(joined.split(/\p{White_Space}+/u)) : splitWords(joined);
}

/** Chunks without `@` are split together, for speed. */
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

/** The text without apostrophes and invisible characters. */
export const joinedText = (text: string): string =>
  (ASCII.test(text) ? text : withoutInvisible(text)).replace(APOSTROPHE, '');

function wordsOfChunk(chunk: string): string[] {
  if (!EMAIL.test(chunk)) return splitWords(chunk);
  const email = fold(WITHOUT_PUNCTUATION_AROUND.exec(chunk)?.[0] ?? '');
  return EMAIL.test(email) ? [email] : splitWords(chunk);
}

/** Only visible ASCII characters and spaces. */
export const isPlainAscii = (text: string): boolean => ASCII.test(text);

/** Distinct runs of ASCII letters and digits; expects lower case. */
export const plainWords = (text: string): string[] => unique(splitPlain(text));

/** A loop: a pattern takes ten times as much memory. */
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

/** `a` to `z`, `0` to `9`; false for NaN. */
const isPlainLetter = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);

const unique = (words: string[]): string[] => (words.length < 2 ? words : [...new Set(words)]);

function splitWords(text: string): string[] {
  if (ASCII.test(text)) return splitPlain(text.toLowerCase());
  // Singly it takes ten times as long.
  return fold(text.match(WORD)?.join(' ') ?? '').match(WORD) ?? [];
}

/**
 * Equal for texts that differ only in case and in what `cleanText` cleans (S-10): Unicode lower case, small sigmas
 * unified, NFC. Letters stay distinct: `ß` is not `ss`, nor `é` `e`.
 */
export function ignoringCase(text: string): string {
  const clean = cleanText(text);
  if (ASCII.test(clean)) return clean.toLowerCase();
  return normalForm(clean.toLowerCase().replaceAll('ς', 'σ'), 'NFC');
}

/** Also counted as one word (S-11). */
const MOST_JOINED = 3;

/** Longer terms have too many cuts (Q-1). */
const MOST_WORDS = 6;

/** Cuts of a term into runs of words, with a `T` for each run (S-11). */
export interface Cuts<T> {
  /** Single words, each once, for any value. */
  readonly words: readonly T[];
  /** Runs of several words, distinct, for names only. */
  readonly joined: readonly (readonly T[])[];
}

export function cutsOf(term: string): Cuts<string> {
  const inOrder = wordsInOrder(term);
  const words = [...new Set(inOrder)];
  const joined = new Map<string, readonly string[]>();
  for (const runs of inOrder.length > MOST_WORDS ? [] : waysToCut(inOrder)) {
    const cut = new Set(runs);
    // Redundant: it matches nothing more, and no nearer.
    if (!words.every((word) => cut.has(word))) joined.set([...cut].sort().join(' '), [...cut]);
  }
  return { words, joined: [...joined.values()] };
}

const waysToCut = (words: readonly string[]): readonly (readonly string[])[] =>
  words.length === 0
    ? [[]]
    : runsFrom(words, 0).flatMap((run, at) => waysToCut(words.slice(at + 1)).map((rest) => [run, ...rest]));

/** `of` is called once per distinct run. */
export function mapCuts<S, T>({ words, joined }: Cuts<S>, of: (run: S) => T): Cuts<T> {
  const known = new Map<S, T>();
  const made = (run: S): T => {
    const found = known.get(run) ?? of(run);
    known.set(run, found);
    return found;
  };
  return { words: words.map(made), joined: joined.map((cut) => cut.map(made)) };
}

/** The distinct runs of all cuts, words first. */
export const runsIn = <T>({ words, joined }: Cuts<T>): readonly T[] => [...new Set([...words, ...joined.flat()])];

/** Distinct, of one part of a name. */
export const joinsOf = (words: readonly string[]): readonly string[] =>
  words.length < 2 ? NONE : [...new Set(words.flatMap((_, at) => runsFrom(words, at).slice(1)))];

const NONE: readonly string[] = [];

/** Up to three words. */
const runsFrom = (words: readonly string[], at: number): readonly string[] =>
  Array.from({ length: Math.min(MOST_JOINED, words.length - at) }, (_, more) =>
    words.slice(at, at + more + 1).join(''),
  );

/** Infinite if none. */
export function fewestRuns(words: readonly string[], holds: (run: string, isJoin: boolean) => boolean): number {
  const fewest = [0];
  for (const at of words.keys()) {
    const runs = (fewest[at] ?? Infinity) + 1;
    for (const [more, run] of runsFrom(words, at).entries()) {
      const end = at + more + 1;
      if (runs < (fewest[end] ?? Infinity) && holds(run, more > 0)) fewest[end] = runs;
    }
  }
  return fewest[words.length] ?? Infinity;
}
