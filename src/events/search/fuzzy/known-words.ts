import { isNumberOrEmail } from './fuzzy-dictionary.js';
import type { WordsAtPath } from './words-of-facts.js';

/** Some ten megabytes. A country has fewer words in its names. */
const MOST_WORDS = 250_000;

/**
 * Words that are in the database for certain, so that a writer of many records need not write them again: those of
 * records that were committed. Numbers and e-mail addresses are not remembered, of which nearly all are new.
 */
export class KnownWords {
  private readonly byPath = new Map<string, Set<string>>();
  private count = 0;

  /** To be called with words whose transaction has committed. */
  add(words: readonly WordsAtPath[]): void {
    for (const at of words) {
      const known = this.byPath.get(keyOf(at)) ?? new Set<string>();
      this.byPath.set(keyOf(at), known);
      this.count -= known.size;
      for (const word of at.words) if (!isNumberOrEmail(word)) known.add(word);
      this.count += known.size;
    }
    if (this.count <= MOST_WORDS) return;
    this.byPath.clear();
    this.count = 0;
  }

  /** The words that are not known. */
  missing(at: WordsAtPath): readonly string[] {
    const known = this.byPath.get(keyOf(at));
    return known === undefined ? [...at.words] : [...at.words].filter((word) => !known.has(word));
  }
}

const keyOf = ({ path, isField }: WordsAtPath): string => `${isField} ${path}`;
