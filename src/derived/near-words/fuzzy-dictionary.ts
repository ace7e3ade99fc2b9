import type { DataPath } from '../values/data-path.js';
import { isNumberOrEmail } from '../words/is-number-or-email.js';
import type { WordPath } from '../words/vocabulary.js';
import { DeletionIndex } from './deletion-index.js';
import { GrowingInts } from './growing-ints.js';
import { Alignment, allowedEdits, codePointsOf } from './optimal-string-alignment.js';
import type { Pace } from './pace.js';
import type { FoundNumber } from './numbers/found-number.js';
import { RecentNumbers } from './numbers/recent-numbers.js';

/** A word of some record, and its number of edits. */
export interface NearWord {
  readonly word: string;
  /** 0, 1 or 2. */
  readonly edits: number;
}

/** Near words in the fields of the declaration. */
export interface NearInFields {
  /** Each once, wherever it occurs. */
  readonly words: readonly NearWord[];
  /** Which of them occur in which field; undefined when there are too many pairs to name. */
  readonly byField: ReadonlyMap<DataPath, readonly NearWord[]> | undefined;
}

/** A word, and the path where near words are looked up; without a path, in each field of the declaration. */
export interface AskedWord {
  readonly word: string;
  readonly path?: DataPath;
}

/** What a search needs from a dictionary. Searched words must be as `wordsOf` returns them. */
export interface WordsNear {
  /** The words near `word` that some record has at `path`; exactly those (S-11). */
  at(path: DataPath, word: string): readonly NearWord[];
  /** The same in each field of the declaration. */
  inEachField(word: string): NearInFields;
  /** Looks words up a little at a time, so that the two methods above then answer at once. */
  lookUp?(asked: readonly AskedWord[], pace: Pace): Promise<void>;
}

/**
 * Words of records, with where they occur. Words of a language go to a deletion index, each once: there are some
 * hundred thousand of them. Of numbers (three digits or more) and e-mail addresses, which are as numerous as the
 * records, it has only those that are not in blocks of the database yet: a search looks the others up there.
 */
export class FuzzyDictionary implements WordsNear {
  private readonly paths = new Map<number, WordPath>();
  private readonly fieldIds = new Map<DataPath, number>();
  /** For paths inside fields. */
  private readonly insideIds = new Map<DataPath, number>();
  private readonly words = new DeletionIndex();
  private readonly pathsOfWords = new PathsOfWords();
  /** Numbers and addresses. */
  readonly recent = new RecentNumbers();

  /** Registers a path under its id in the database. */
  addPath(id: number, path: WordPath): void {
    if (this.paths.has(id)) return;
    this.paths.set(id, path);
    (path.isField ? this.fieldIds : this.insideIds).set(path.path, id);
  }

  pathOf(id: number): WordPath | undefined {
    return this.paths.get(id);
  }

  add(pathId: number, word: string): void {
    if (!isNumberOrEmail(word)) this.pathsOfWords.add(this.words.add(word), pathId);
    else this.recent.add(pathId, word);
  }

  addAll(pathId: number, words: readonly string[]): void {
    for (const word of words) this.add(pathId, word);
  }

  at(path: DataPath, word: string): readonly NearWord[] {
    return lastOf(this.stepsAt(path, word, lastOf(this.recent.near(word))));
  }

  inEachField(word: string): NearInFields {
    return lastOf(this.stepsInEachField(word, lastOf(this.recent.near(word))));
  }

  /** `at` in steps of a few milliseconds, with the `numbers` near the word; its return value is the answer. */
  *stepsAt(path: DataPath, word: string, numbers: readonly FoundNumber[]): Generator<void, readonly NearWord[]> {
    const found = new Map<string, NearWord>();
    const ids = [this.fieldIds.get(path), this.insideIds.get(path)].filter((id) => id !== undefined);
    yield* this.visitNear(word, ids, numbers, (_, near, edits) => {
      found.set(near, { word: near, edits });
    });
    return [...found.values()];
  }

  /** The same for `inEachField`. */
  *stepsInEachField(word: string, numbers: readonly FoundNumber[]): Generator<void, NearInFields> {
    const words = new Map<string, NearWord>();
    const byField = new Map<DataPath, Map<string, NearWord>>();
    let pairs = 0;
    yield* this.visitNear(word, 'each field', numbers, (path, near, edits) => {
      const found = words.get(near) ?? { word: near, edits };
      words.set(near, found);
      if (pairs > MOST_PAIRS) return;
      pairs += 1;
      const ofField = byField.get(path);
      if (ofField === undefined) byField.set(path, new Map([[near, found]]));
      else ofField.set(near, found);
    });
    return {
      words: [...words.values()],
      byField:
        pairs > MOST_PAIRS
          ? undefined
          : new Map([...byField].map(([path, ofField]): [DataPath, NearWord[]] => [path, [...ofField.values()]])),
    };
  }

  get size(): { readonly words: number; readonly bytes: number } {
    const bytes = [this.words, this.pathsOfWords, this.recent].reduce((sum, part) => sum + part.bytes, 0);
    return { words: this.words.size + this.recent.size, bytes };
  }

  private *visitNear(
    word: string,
    wanted: Wanted,
    numbers: readonly FoundNumber[],
    visit: Visit,
  ): Generator<void, void> {
    if (wanted.length === 0) return;
    const isWanted = (id: number): boolean =>
      wanted === 'each field' ? this.paths.get(id)?.isField === true : wanted.includes(id);
    const found = (id: number, near: string, edits: number): void => {
      const at = this.paths.get(id);
      if (at !== undefined) visit(at.path, near, edits);
    };
    const searched = codePointsOf(word);
    const alignment = new Alignment(searched, allowedEdits(searched.length));
    for (const { number, edits } of yield* this.words.near(alignment)) {
      const near = this.words.word(number);
      for (const id of this.pathsOfWords.of(number)) if (isWanted(id)) found(id, near, edits);
      yield;
    }
    for (const { pathId, word: near, edits } of numbers) if (isWanted(pathId)) found(pathId, near, edits);
  }
}

type Wanted = readonly number[] | 'each field';

type Visit = (path: DataPath, word: string, edits: number) => void;

/** More pairs of field and word are not named, so that made-up fields make no search costly. */
const MOST_PAIRS = 8_000;

/** The return value of a generator, ignoring what it yields. */
function lastOf<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Forms have few fields for names: made-up ones must not slow down each look-up. */
const MANY_PATHS = 64;

/** For each word of the deletion index, by its number, the ids of the paths where it occurs. */
class PathsOfWords {
  /** The newest entry of each word, from 1. */
  private readonly heads = new GrowingInts();
  private readonly pathIds = new GrowingInts();
  private readonly before = new GrowingInts();
  /** A second index for words that occur at many paths. */
  private readonly manyOf = new Map<number, Set<number>>();

  get bytes(): number {
    return this.heads.bytes + this.pathIds.bytes + this.before.bytes;
  }

  add(number: number, pathId: number): void {
    while (this.heads.length <= number) this.heads.push(0);
    if (this.has(number, pathId)) return;
    this.manyOf.get(number)?.add(pathId);
    this.pathIds.push(pathId);
    this.before.push(this.heads.get(number));
    this.heads.set(number, this.pathIds.length);
  }

  private has(number: number, pathId: number): boolean {
    const many = this.manyOf.get(number);
    if (many !== undefined) return many.has(pathId);
    const ids = this.of(number);
    if (ids.length >= MANY_PATHS) this.manyOf.set(number, new Set(ids));
    return ids.includes(pathId);
  }

  of(number: number): readonly number[] {
    const ids: number[] = [];
    for (let entry = this.heads.get(number); entry > 0; entry = this.before.get(entry - 1)) {
      ids.push(this.pathIds.get(entry - 1));
    }
    return ids;
  }
}
