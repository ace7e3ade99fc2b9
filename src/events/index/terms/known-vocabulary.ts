import type { ShapeAspect } from './terms.js';
import type { DataPath } from '../values/data-path.js';
import type { PathVocabulary, Vocabulary } from './vocabulary.js';

/** Some forty megabytes, more than a country needs. */
const MOST = 300_000;
/** In total: at most 64 MB. */
const MOST_CHARACTERS = 32_000_000;

export interface KnownPath {
  readonly words: ReadonlySet<string>;
  readonly aspects: ReadonlySet<ShapeAspect>;
}

interface RememberedPath extends KnownPath {
  readonly words: Set<string>;
  readonly aspects: Set<ShapeAspect>;
}

/** Caches committed vocabulary for bulk writers. */
export class KnownVocabulary {
  private readonly fields = new Map<DataPath, RememberedPath>();
  /** For paths inside fields. */
  private readonly insides = new Map<DataPath, RememberedPath>();
  /** As `pathIdsOf` returns them. */
  readonly pathIds = new Map<string, number>();
  private count = 0;
  private characters = 0;

  /** Requires a committed transaction. */
  add({ paths }: Vocabulary): void {
    for (const at of paths) {
      const byPath = at.isField ? this.fields : this.insides;
      const known = byPath.get(at.path) ?? { words: new Set(), aspects: new Set() };
      if (!byPath.has(at.path)) this.characters += at.path.length;
      byPath.set(at.path, known);
      for (const word of at.words) this.remember(known.words, word);
      for (const aspect of at.aspects) this.remember(known.aspects, aspect);
    }
    if (this.count + this.pathIds.size <= MOST && this.characters <= MOST_CHARACTERS) return;
    this.fields.clear();
    this.insides.clear();
    this.pathIds.clear();
    this.count = 0;
    this.characters = 0;
  }

  at(path: DataPath, isField: boolean): KnownPath | undefined {
    return (isField ? this.fields : this.insides).get(path);
  }

  missing({ paths }: Vocabulary): Vocabulary {
    return { paths: paths.flatMap((at) => this.missingAt(at)) };
  }

  private missingAt(at: PathVocabulary): readonly PathVocabulary[] {
    const known = this.at(at.path, at.isField);
    if (known === undefined) return [at];
    const words = unknown(at.words, known.words);
    const aspects = unknown(at.aspects, known.aspects);
    const { path, isField } = at;
    return words === undefined && aspects === undefined
      ? []
      : [{ path, isField, words: words ?? NONE, aspects: aspects ?? NONE }];
  }

  private remember<T extends string>(known: Set<T>, value: T): void {
    if (known.has(value)) return;
    known.add(value);
    this.counted(value);
  }

  private counted(value: string): void {
    this.count += 1;
    this.characters += value.length;
  }
}

const NONE: ReadonlySet<never> = new Set<never>();

/** Undefined when all are known, the usual case. */
function unknown<T>(values: ReadonlySet<T>, known: ReadonlySet<T>): ReadonlySet<T> | undefined {
  let found: Set<T> | undefined;
  for (const value of values) if (!known.has(value)) (found ??= new Set<T>()).add(value);
  return found;
}
