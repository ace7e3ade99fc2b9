import type { DataPath } from '../values/data-path.js';
import type { AskedWord, NearInFields, NearWord, WordsNear } from './fuzzy-dictionary.js';
import type { FoundNumber } from './numbers/found-number.js';
import type { Pace } from './pace.js';
import { pacedSteps } from './pace.js';

/** A dictionary that answers in steps of a few milliseconds; the return value is the answer. */
interface WordsInSteps {
  stepsAt(path: DataPath, word: string, numbers: readonly FoundNumber[]): Generator<void, readonly NearWord[]>;
  stepsInEachField(word: string, numbers: readonly FoundNumber[]): Generator<void, NearInFields>;
}

/** The answers for one search, which asks more than once: they stay the same, and are computed once, by `lookUp`. */
export class RememberedWords implements WordsNear {
  private readonly byPath = new Map<string, readonly NearWord[]>();
  private readonly byWord = new Map<string, NearInFields>();
  private readonly numbers = new Map<string, readonly FoundNumber[]>();

  constructor(
    private readonly words: WordsInSteps,
    /** The numbers and addresses near a word, of which the dictionary has only some. */
    private readonly numbersNear: (word: string, pace: Pace) => Promise<readonly FoundNumber[]>,
  ) {}

  at(path: DataPath, word: string): readonly NearWord[] {
    return lookedUp(this.byPath.get(keyOf(path, word)), word);
  }

  inEachField(word: string): NearInFields {
    return lookedUp(this.byWord.get(word), word);
  }

  async lookUp(asked: readonly AskedWord[], pace: Pace): Promise<void> {
    for (const { word, path } of asked) {
      const numbers = this.numbers.get(word) ?? (await this.numbersNear(word, pace));
      this.numbers.set(word, numbers);
      if (path === undefined) {
        if (this.byWord.has(word)) continue;
        this.byWord.set(word, await pacedSteps(this.words.stepsInEachField(word, numbers), pace));
      } else if (!this.byPath.has(keyOf(path, word))) {
        this.byPath.set(keyOf(path, word), await pacedSteps(this.words.stepsAt(path, word, numbers), pace));
      }
    }
  }
}

const keyOf = (path: DataPath, word: string): string => `${word} ${path}`;

/** Some answers need the database: without them a search would miss what they are about. */
function lookedUp<T>(answer: T | undefined, word: string): T {
  if (answer === undefined) throw new Error(`the words near "${word}" were not looked up before they were needed`);
  return answer;
}
