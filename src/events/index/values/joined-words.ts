import { wordsInOrder } from './fold.js';

/** Also counted as one word (S-11). */
const MOST_JOINED = 3;

/** Longer terms have too many cuts. */
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
