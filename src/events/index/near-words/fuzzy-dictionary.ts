import { atOnce, type Steps } from '../../../platform/queue/time-slice.js';
import { BEYOND, type DataPath } from '../values/data-path.js';
import { isNumberOrEmail } from '../terms/is-number-or-email.js';
import type { WordPath } from '../terms/vocabulary.js';
import { type Kept, RecentParts } from './recent-parts.js';
import { KnownPaths } from './known-paths.js';
import { Names } from './names.js';
import { Alignment, allowedEdits, codePointsOf } from './optimal-string-alignment.js';
import type { SearchTurn } from './search-turn.js';
import type { FoundWord } from './found-word.js';
import { RecentNumbers } from './recent-numbers.js';

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
