import { atOnce, type Steps } from '../../../platform/queue/time-slice.js';
import { isNumberOrEmail } from '../terms/is-number-or-email.js';
import type { WordPath } from '../terms/vocabulary.js';
import { BEYOND, type DataPath } from '../values/data-path.js';
import { DeletionIndex, type Found } from './deletion-index.js';
import type { FoundWord } from './found-word.js';
import { GrowingInts } from './growing-ints.js';
import { KnownPaths } from './known-paths.js';
import { Alignment, allowedEdits, codePointsOf } from './optimal-string-alignment.js';
import { type Kept, type Part, RecentParts } from './recent-parts.js';
import type { SearchTurn } from './search-turn.js';
import { WordsOfLength } from './words-of-length.js';

/** Bounds the cost of invented fields. */
const MANY_PATHS = 64;

/** Path ids by word number of a deletion index. */
class PathsOfWords {
  /** The newest entry of each word, from 1. */
  private readonly heads = new GrowingInts();
  private readonly pathIds = new GrowingInts();
  private readonly before = new GrowingInts();
  /** An index for words at many paths. */
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

/** Words of a language, each once, and their paths. */
export class Names implements Part {
  private readonly words = new DeletionIndex();
  private readonly paths = new PathsOfWords();

  get size(): number {
    return this.words.size;
  }

  get bytes(): number {
    return this.words.bytes + this.paths.bytes;
  }

  add(pathId: number, word: string): void {
    this.paths.add(this.words.add(word), pathId);
  }

  /** Words may be added between its short steps. */
  near(alignment: Alignment): Steps<readonly Found[]> {
    return this.words.near(alignment);
  }

  word(number: number): string {
    return this.words.word(number);
  }

  pathsOf(number: number): readonly number[] {
    return this.paths.of(number);
  }
}

/** More words get their own storage. Forms have few such fields. */
const MANY_WORDS = 16;

/** By path and length. Paths with few words share storage, so that many paths cost neither memory nor time. */
class WordsOfPaths {
  private readonly together = new Map<number, WordsOfLength>();
  /** For words beyond the first ones. */
  private readonly apart = new Map<number, Map<number, WordsOfLength>>();
  /** Words per path in shared storage. */
  private readonly counts = new Map<number, number>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  get bytes(): number {
    return [this.together, ...this.apart.values()]
      .flatMap((byLength) => [...byLength.values()])
      .reduce((sum, words) => sum + words.bytes, 0);
  }

  add(pathId: number, word: string): void {
    this.count += 1;
    const shared = this.counts.get(pathId) ?? 0;
    if (shared < MANY_WORDS) {
      this.counts.set(pathId, shared + 1);
      this.wordsOf(this.together, word.length, 'tagged').add(word, pathId);
      return;
    }
    const byLength = this.apart.get(pathId) ?? new Map<number, WordsOfLength>();
    this.apart.set(pathId, byLength);
    this.wordsOf(byLength, word.length, 'plain').add(word);
  }

  /** In steps of a few milliseconds. */
  *visitNear(searched: Alignment, visit: (pathId: number, word: string, edits: number) => void): Steps<void> {
    for (const words of this.together.values()) {
      yield* words.visitNear(searched, (word, edits, pathId) => {
        visit(pathId, word, edits);
      });
    }
    for (const [pathId, byLength] of this.apart) {
      for (const words of byLength.values()) {
        yield* words.visitNear(searched, (word, edits) => {
          visit(pathId, word, edits);
        });
      }
      yield;
    }
  }

  private wordsOf(byLength: Map<number, WordsOfLength>, length: number, kind: 'plain' | 'tagged'): WordsOfLength {
    const words = byLength.get(length) ?? new WordsOfLength(length, kind);
    byLength.set(length, words);
    return words;
  }
}

const THREE_DIGITS = /\d.*\d.*\d/;

/** Perhaps not in blocks yet. */
export class RecentNumbers {
  private readonly parts = new RecentParts(() => new Numbers());

  get size(): number {
    return this.parts.size;
  }

  get bytes(): number {
    return this.parts.bytes;
  }

  add(pathId: number, word: string): void {
    this.parts.add(pathId, word);
  }

  /** Requires a complete reading. */
  keep(kept: Kept): void {
    this.parts.keep(kept);
  }

  /** With duplicates. Words may be added and forgotten between steps. */
  *near(word: string): Steps<readonly FoundWord[]> {
    const found: FoundWord[] = [];
    const searched = codePointsOf(word);
    const alignment = new Alignment(searched, allowedEdits(searched.length));
    for (const part of this.parts.now) yield* part.near(word, alignment, found);
    return found;
  }
}

class Numbers implements Part {
  private readonly numbers = new WordsOfPaths();
  private readonly emails = new WordsOfPaths();

  get size(): number {
    return this.numbers.size + this.emails.size;
  }

  get bytes(): number {
    return this.numbers.bytes + this.emails.bytes;
  }

  add(pathId: number, word: string): void {
    (THREE_DIGITS.test(word) ? this.numbers : this.emails).add(pathId, word);
  }

  *near(word: string, alignment: Alignment, found: FoundWord[]): Steps<void> {
    // Two edits cannot add three digits.
    const kinds = /\d/.test(word) ? [this.numbers, this.emails] : [this.emails];
    for (const kind of kinds) {
      yield* kind.visitNear(alignment, (pathId, near, edits) => {
        found.push({ pathId, word: near, edits });
      });
    }
  }
}

export interface NearWord {
  readonly word: string;
  /** 0, 1 or 2. */
  readonly edits: number;
}

export interface NearInFields {
  /** Each once. */
  readonly words: readonly NearWord[];
  /** Undefined if there are too many pairs. */
  readonly byField: ReadonlyMap<DataPath, readonly NearWord[]> | undefined;
}

/** Without a path: in each field. */
export interface AskedWord {
  readonly word: string;
  readonly path?: DataPath;
}

/** Searched words must be as `wordsOf` returns them. */
export interface WordsNear {
  /** Exactly the near words at `path` (S-11). */
  at(path: DataPath, word: string): readonly NearWord[];
  inEachField(word: string): NearInFields;
  /** In steps; then the two methods above answer at once. */
  lookUp?(asked: readonly AskedWord[], turn: SearchTurn): Promise<void>;
}

/** For searches without a fuzzy condition. */
export const NO_WORDS: WordsNear = { at: () => [], inEachField: () => ({ words: [], byField: undefined }) };

export interface WordsToSearch {
  /** Taken before blocks were searched. */
  readonly names: readonly Names[];
  /** Numbers and addresses, and words in blocks. */
  readonly found: readonly FoundWord[];
}

export interface NearWords {
  readonly names: readonly NearName[];
  readonly found: readonly FoundWord[];
}

interface NearName extends NearWord {
  readonly paths: () => readonly number[];
}

/**
 * Words of records with their paths. Names, some hundred thousand, use a deletion index. Numbers (three digits or more)
 * and e-mail addresses, as numerous as records, stay only until they are in blocks, as do too many names.
 */
export class FuzzyDictionary implements WordsNear {
  private readonly paths: KnownPaths;
  private readonly recentNames = new RecentParts(() => new Names());
  /** Numbers and addresses. */
  readonly recent = new RecentNumbers();

  /** `mostPaths`: see `KnownPaths`. */
  constructor(mostPaths?: number) {
    this.paths = new KnownPaths(mostPaths);
  }

  /** Returns the id for its words. */
  addPath(id: number, path: WordPath): number {
    return this.paths.add(id, path);
  }

  get knownPaths(): Pick<KnownPaths, 'ids' | 'size' | 'hasMore'> {
    return this.paths;
  }

  pathOf(id: number): WordPath | undefined {
    return this.paths.get(id);
  }

  add(pathId: number, word: string): void {
    (isNumberOrEmail(word) ? this.recent : this.recentNames).add(pathId, word);
  }

  addAll(pathId: number, words: readonly string[]): void {
    for (const word of words) this.add(pathId, word);
  }

  at(path: DataPath, word: string): readonly NearWord[] {
    return atOnce(this.stepsAt(path, this.inMemory(word)));
  }

  inEachField(word: string): NearInFields {
    return atOnce(this.stepsInEachField(this.inMemory(word)));
  }

  /** A stable list, even if names are forgotten. */
  get names(): readonly Names[] {
    return this.recentNames.now;
  }

  /** Requires a complete reading. */
  keep(numbers: Kept, names: Kept): void {
    this.recent.keep(numbers);
    this.recentNames.keep(names);
  }

  /** Most of a look-up, shared by all paths; in steps of a few milliseconds. */
  *stepsNear(word: string, { names, found }: WordsToSearch): Steps<NearWords> {
    const searched = codePointsOf(word);
    const alignment = new Alignment(searched, allowedEdits(searched.length));
    const near: NearName[] = [];
    for (const some of names) {
      for (const { number, edits } of yield* some.near(alignment)) {
        near.push({ word: some.word(number), edits, paths: () => some.pathsOf(number) });
      }
    }
    return { names: near, found };
  }

  *stepsAt(path: DataPath, among: NearWords): Steps<readonly NearWord[]> {
    const found = new Map<string, NearWord>();
    yield* this.visitNear(this.paths.idsOf(path), among, (_, near, edits) => {
      found.set(near, { word: near, edits });
    });
    return [...found.values()];
  }

  *stepsInEachField(among: NearWords): Steps<NearInFields> {
    const words = new Map<string, NearWord>();
    const byField = new Map<DataPath, Map<string, NearWord>>();
    let pairs = 0;
    yield* this.visitNear('each field', among, (path, near, edits) => {
      const found = words.get(near) ?? { word: near, edits };
      words.set(near, found);
      // Its field cannot be named.
      if (path === BEYOND) pairs = Infinity;
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

  get size(): { readonly words: number; readonly bytes: number; readonly bytesOfNames: number } {
    const bytesOfNames = this.recentNames.bytes;
    return { words: this.recentNames.size + this.recent.size, bytes: bytesOfNames + this.recent.bytes, bytesOfNames };
  }

  private inMemory(word: string): NearWords {
    return atOnce(this.stepsNear(word, { names: this.names, found: atOnce(this.recent.near(word)) }));
  }

  private *visitNear(wanted: Wanted, { names, found }: NearWords, visit: Visit): Steps<void> {
    if (wanted.length === 0) return;
    const visitAt = (id: number, { word, edits }: NearWord): void => {
      const at = this.paths.get(id);
      const isWanted = wanted === 'each field' ? at?.isField === true : wanted.includes(id);
      if (at !== undefined && isWanted) visit(at.path, word, edits);
    };
    for (const near of names) {
      for (const id of near.paths()) visitAt(id, near);
      yield;
    }
    for (const [at, near] of found.entries()) {
      visitAt(near.pathId, near);
      if (at % FOUND_A_STEP === 0) yield;
    }
  }
}

type Wanted = readonly number[] | 'each field';

type Visit = (path: DataPath, word: string, edits: number) => void;

/** Found words, besides names, per step. */
const FOUND_A_STEP = 1_024;

/** Bounds the cost of invented fields. */
const MOST_PAIRS = 8_000;
