import type { DataPath } from '../values/data-path.js';
import type { AskedWord, NearInFields, NearWord, WordsNear } from './fuzzy-dictionary.js';
import type { Pace } from './pace.js';

/** A dictionary that answers in steps of a few milliseconds; the return value is the answer. */
interface WordsInSteps {
  stepsAt(path: DataPath, word: string): Generator<void, readonly NearWord[]>;
  stepsInEachField(word: string): Generator<void, NearInFields>;
}

/** The answers of a dictionary for one search, which asks more than once: they stay the same, and are computed once. */
export class RememberedWords implements WordsNear {
  private readonly byPath = new Map<string, readonly NearWord[]>();
  private readonly byWord = new Map<string, NearInFields>();

  constructor(private readonly words: WordsInSteps & WordsNear) {}

  at(path: DataPath, word: string): readonly NearWord[] {
    const key = `${word} ${path}`;
    const near = this.byPath.get(key) ?? this.words.at(path, word);
    this.byPath.set(key, near);
    return near;
  }

  inEachField(word: string): NearInFields {
    const near = this.byWord.get(word) ?? this.words.inEachField(word);
    this.byWord.set(word, near);
    return near;
  }

  async lookUp(asked: readonly AskedWord[], pace: Pace): Promise<void> {
    for (const { word, path } of asked) {
      if (path === undefined) {
        if (!this.byWord.has(word)) this.byWord.set(word, await paced(this.words.stepsInEachField(word), pace));
      } else {
        const key = `${word} ${path}`;
        if (!this.byPath.has(key)) this.byPath.set(key, await paced(this.words.stepsAt(path, word), pace));
      }
    }
  }
}

async function paced<T>(steps: Generator<void, T>, pace: Pace): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pace.isOver) await pace.turn();
  }
}
