import type { ShapeAspect } from '../terms/data-aspect.js';
import type { Term } from '../terms/term-kind.js';
import type { DataPath } from '../values/data-path.js';

/** Where words stand, and what kinds of values: `isField` tells a field of the declaration from what is inside its value. */
export interface WordPath {
  readonly path: DataPath;
  readonly isField: boolean;
}

/** What occurs at one path. */
export interface PathVocabulary extends WordPath {
  /** The words that fuzzy conditions find (S-10), but for `numerous`. */
  readonly words: ReadonlySet<string>;
  /** Those of which nearly every record has others: see `isNumerous`. */
  readonly numerous: ReadonlySet<string>;
  readonly aspects: ReadonlySet<ShapeAspect>;
}

/** What searches must know beside a record's own row: it is kept once, however many records have it. */
export interface Vocabulary {
  readonly paths: readonly PathVocabulary[];
  /** The countable terms. */
  readonly terms: readonly Term[];
}
