import type { DataPath } from '../data-path.js';
import type { NearWord, NearWordOfField, WordsNear } from './fuzzy-dictionary.js';

/** The answers of a dictionary for the length of one search, which asks more than once: they stay the same, and cost once. */
export class RememberedWords implements WordsNear {
  private readonly byPath = new Map<string, readonly NearWord[]>();
  private readonly byField = new Map<string, readonly NearWordOfField[]>();

  constructor(private readonly words: WordsNear) {}

  at(path: DataPath, word: string): readonly NearWord[] {
    const key = `${word} ${path}`;
    const near = this.byPath.get(key) ?? this.words.at(path, word);
    this.byPath.set(key, near);
    return near;
  }

  inEachField(word: string): readonly NearWordOfField[] {
    const near = this.byField.get(word) ?? this.words.inEachField(word);
    this.byField.set(word, near);
    return near;
  }
}
