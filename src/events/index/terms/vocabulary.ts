import type { ShapeAspect } from './data-aspect.js';
import type { Term } from './term-kind.js';
import type { DataPath } from '../values/data-path.js';

/**
 * Where words occur, and what kinds of values: `isField` distinguishes a field of the declaration from the inside of
 * its value.
 */
export interface WordPath {
  readonly path: DataPath;
  readonly isField: boolean;
}

/** What occurs at one path. */
export interface PathVocabulary extends WordPath {
  /** The words that fuzzy conditions find (S-10), except `numerous`. */
  readonly words: ReadonlySet<string>;
  /** Those that differ in nearly every record: see `isNumerous`. */
  readonly numerous: ReadonlySet<string>;
  readonly aspects: ReadonlySet<ShapeAspect>;
}

/** What searches must know in addition to a record's own row: it is stored once, however many records have it. */
export interface Vocabulary {
  readonly paths: readonly PathVocabulary[];
  /** The countable terms. */
  readonly terms: readonly Term[];
}
