import type { DataPath } from '../data-path.js';
import type { WordPath } from '../vocabulary/vocabulary.js';
import { DeletionIndex } from './deletion-index.js';
import { GrowingInts } from './growing-ints.js';
import { Alignment, allowedEdits, codePointsOf } from './optimal-string-alignment.js';
import { WordsOfLength } from './words-of-length.js';

export interface NearWord {
  readonly word: string;
  /** 0, 1 or 2. */
  readonly edits: number;
}

export interface NearWordOfField extends NearWord {
  readonly path: DataPath;
}

/** What a search asks a dictionary. A searched word is given as `wordsOf` yields it. */
export interface WordsNear {
  /** The words near `word` that some record has at `path`, and none that is not near (S-11). */
  at(path: DataPath, word: string): readonly NearWord[];
  /** The same in each field of the declaration. */
  inEachField(word: string): readonly NearWordOfField[];
}

const NUMBER_OR_EMAIL = /^[\x21-\x7e]*(?:@|\d[\x21-\x7e]*\d[\x21-\x7e]*\d)[\x21-\x7e]*$/;
const THREE_DIGITS = /\d.*\d.*\d/;

/** Whether a word is of the kind of which there are as many as records. */
export const isNumberOrEmail = (word: string): boolean => NUMBER_OR_EMAIL.test(word);

/**
 * The words of all records, with where they stand. Words of a language go to a deletion index, each once: there are
 * some hundred thousand of them. Numbers (three digits or more) and e-mail addresses are as numerous as the records,
 * and are kept as bytes, for each path and length.
 */
export class FuzzyDictionary implements WordsNear {
  private readonly paths = new Map<number, WordPath>();
  private readonly idsByPath = new Map<DataPath, number[]>();
  private readonly words = new DeletionIndex();
  private readonly pathsOfWords = new PathsOfWords();
  private readonly numbers = new WordsOfPaths();
  private readonly emails = new WordsOfPaths();

  /** Makes a path known by its id in the database. */
  addPath(id: number, path: WordPath): void {
    if (this.paths.has(id)) return;
    this.paths.set(id, path);
    this.idsByPath.set(path.path, [...(this.idsByPath.get(path.path) ?? []), id]);
  }

  hasPath(id: number): boolean {
    return this.paths.has(id);
  }

  add(pathId: number, word: string): void {
    if (!isNumberOrEmail(word)) this.pathsOfWords.add(this.words.add(word), pathId);
    else if (THREE_DIGITS.test(word)) this.numbers.add(pathId, word);
    else this.emails.add(pathId, word);
  }

  addAll(pathId: number, words: readonly string[]): void {
    for (const word of words) this.add(pathId, word);
  }

  at(path: DataPath, word: string): readonly NearWord[] {
    const ids = this.idsByPath.get(path) ?? [];
    const found = new Map<string, NearWord>();
    this.visitNear(word, ids, (near) => {
      found.set(near.word, { word: near.word, edits: near.edits });
    });
    return [...found.values()];
  }

  inEachField(word: string): readonly NearWordOfField[] {
    const ids = [...this.paths].flatMap(([id, { isField }]) => (isField ? [id] : []));
    const found = new Map<string, NearWordOfField>();
    this.visitNear(word, ids, (near) => {
      found.set(`${near.path} ${near.word}`, near);
    });
    return [...found.values()];
  }

  get size(): { readonly words: number; readonly bytes: number } {
    const bytes = [this.words, this.pathsOfWords, this.numbers, this.emails].reduce((sum, part) => sum + part.bytes, 0);
    return { words: this.words.size + this.numbers.size + this.emails.size, bytes };
  }

  private visitNear(word: string, pathIds: readonly number[], visit: (near: NearWordOfField) => void): void {
    if (pathIds.length === 0) return;
    const searched = codePointsOf(word);
    const alignment = new Alignment(searched, allowedEdits(searched.length));
    const wanted = new Set(pathIds);
    for (const { number, edits } of this.words.near(alignment)) {
      for (const id of this.pathsOfWords.of(number)) {
        const path = wanted.has(id) ? this.paths.get(id)?.path : undefined;
        if (path !== undefined) visit({ path, word: this.words.word(number), edits });
      }
    }
    // Two edits do not turn a word without a digit into one of three.
    const kinds = /\d/.test(word) ? [this.numbers, this.emails] : [this.emails];
    for (const id of pathIds) {
      const path = this.paths.get(id)?.path;
      if (path === undefined) continue;
      for (const kind of kinds) {
        kind.visitNear(id, alignment, (found, edits) => {
          visit({ path, word: found, edits });
        });
      }
    }
  }
}

/** For each word of the deletion index, by its number, the ids of the paths where it stands. */
class PathsOfWords {
  /** The newest entry of each word, from 1. */
  private readonly heads = new GrowingInts();
  private readonly pathIds = new GrowingInts();
  private readonly before = new GrowingInts();

  get bytes(): number {
    return this.heads.bytes + this.pathIds.bytes + this.before.bytes;
  }

  add(number: number, pathId: number): void {
    while (this.heads.length <= number) this.heads.push(0);
    if (this.has(number, pathId)) return;
    this.pathIds.push(pathId);
    this.before.push(this.heads.get(number));
    this.heads.set(number, this.pathIds.length);
  }

  has(number: number, pathId: number): boolean {
    return this.of(number).includes(pathId);
  }

  of(number: number): readonly number[] {
    const ids: number[] = [];
    for (let entry = this.heads.get(number); entry > 0; entry = this.before.get(entry - 1)) {
      ids.push(this.pathIds.get(entry - 1));
    }
    return ids;
  }
}

/** Words by path and length. */
class WordsOfPaths {
  private readonly byPath = new Map<number, Map<number, WordsOfLength>>();
  size = 0;

  get bytes(): number {
    return [...this.byPath.values()]
      .flatMap((byLength) => [...byLength.values()])
      .reduce((sum, words) => sum + words.bytes, 0);
  }

  add(pathId: number, word: string): void {
    const byLength = this.byPath.get(pathId) ?? new Map<number, WordsOfLength>();
    this.byPath.set(pathId, byLength);
    const words = byLength.get(word.length) ?? new WordsOfLength(word.length);
    byLength.set(word.length, words);
    words.add(word);
    this.size += 1;
  }

  visitNear(pathId: number, searched: Alignment, visit: (word: string, edits: number) => void): void {
    for (const words of this.byPath.get(pathId)?.values() ?? []) words.visitNear(searched, visit);
  }
}
