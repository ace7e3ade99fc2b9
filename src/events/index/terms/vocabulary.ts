import type { ShapeAspect } from './data-aspect.js';
import type { DataPath } from '../values/data-path.js';

/** `isField`: a field of the declaration, not its inside. */
export interface WordPath {
  readonly path: DataPath;
  readonly isField: boolean;
}

/** Everything at one path. */
export interface PathVocabulary extends WordPath {
  /** Words for fuzzy conditions (S-10), except those compared exactly (S-11). */
  readonly words: ReadonlySet<string>;
  readonly aspects: ReadonlySet<ShapeAspect>;
}

/** Stored once for all records. */
export interface Vocabulary {
  readonly paths: readonly PathVocabulary[];
}
