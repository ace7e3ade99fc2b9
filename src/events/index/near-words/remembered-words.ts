import { type Steps, stepwise } from '../../../platform/queue/time-slice.js';
import type { DataPath } from '../values/data-path.js';
import type { AskedWord, NearInFields, NearWord, NearWords, WordsNear, WordsToSearch } from './fuzzy-dictionary.js';
import type { SearchTurn } from './search-turn.js';

/** A dictionary that answers in steps of a few milliseconds. */
interface WordsInSteps {
  stepsNear(word: string, among: WordsToSearch): Steps<NearWords>;
  stepsAt(path: DataPath, among: NearWords): Steps<readonly NearWord[]>;
  stepsInEachField(among: NearWords): Steps<NearInFields>;
}

export interface Searchable {
  readonly dictionary: WordsInSteps;
  readonly among: (word: string) => WordsToSearch;
}

/** Memoizes answers of `lookUp`. */
export class RememberedWords implements WordsNear {
  private readonly byPath = new Map<string, readonly NearWord[]>();
  private readonly byWord = new Map<string, NearInFields>();

  constructor(
    /** All words are looked up together. */
    private readonly searchable: (words: readonly string[], turn: SearchTurn) => Promise<Searchable>,
  ) {}

  at(path: DataPath, word: string): readonly NearWord[] {
    return lookedUp(this.byPath.get(keyOf(path, word)), word);
  }

  inEachField(word: string): NearInFields {
    return lookedUp(this.byWord.get(word), word);
  }

  async lookUp(asked: readonly AskedWord[], turn: SearchTurn): Promise<void> {
    const pathsByWord = new Map<string, Set<DataPath | undefined>>();
    for (const { word, path } of asked) {
      if (path === undefined ? this.byWord.has(word) : this.byPath.has(keyOf(path, word))) continue;
      pathsByWord.set(word, (pathsByWord.get(word) ?? new Set()).add(path));
    }
    if (pathsByWord.size === 0) return;
    const { dictionary, among } = await this.searchable([...pathsByWord.keys()], turn);
    for (const [word, paths] of pathsByWord) {
      const near = await stepwise(dictionary.stepsNear(word, among(word)), turn);
      for (const path of paths) {
        if (path === undefined) this.byWord.set(word, await stepwise(dictionary.stepsInEachField(near), turn));
        else this.byPath.set(keyOf(path, word), await stepwise(dictionary.stepsAt(path, near), turn));
      }
    }
  }
}

const keyOf = (path: DataPath, word: string): string => `${word} ${path}`;

/** Throws instead of an incomplete search. */
function lookedUp<T>(answer: T | undefined, word: string): T {
  if (answer === undefined) throw new Error(`the words near "${word}" were not looked up before they were needed`);
  return answer;
}
