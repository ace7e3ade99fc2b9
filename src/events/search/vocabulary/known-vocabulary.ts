import type { ShapeAspect } from '../data-aspect.js';
import { isNumberOrEmail } from '../fuzzy/fuzzy-dictionary.js';
import type { Term } from '../term-kind.js';
import type { PathVocabulary, Vocabulary, WordPath } from './vocabulary.js';

/** Some forty megabytes. A country has fewer words in its names, and fewer days. */
const MOST = 500_000;

interface KnownPath {
  readonly words: Set<string>;
  readonly aspects: Set<ShapeAspect>;
}

/**
 * What is in the database for certain, so that a writer of many records need not write it again: the vocabulary of
 * records that were committed. Numbers and e-mail addresses are not remembered, of which nearly all are new.
 */
export class KnownVocabulary {
  private readonly paths = new Map<string, KnownPath>();
  /** Values by the prefix of their kind: two terms of one hash must not be taken for one. */
  private readonly terms = new Map<string, Set<string>>();
  private count = 0;

  /** To be called with what a transaction has written that is committed. */
  add({ paths, terms }: Vocabulary): void {
    for (const at of paths) {
      const known = this.paths.get(keyOf(at)) ?? { words: new Set(), aspects: new Set() };
      this.paths.set(keyOf(at), known);
      for (const word of at.words) if (!isNumberOrEmail(word)) this.remember(known.words, word);
      for (const aspect of at.aspects) this.remember(known.aspects, aspect);
    }
    for (const { kind, value } of terms) {
      const known = this.terms.get(kind.prefix) ?? new Set();
      this.terms.set(kind.prefix, known);
      this.remember(known, value);
    }
    if (this.count <= MOST) return;
    this.paths.clear();
    this.terms.clear();
    this.count = 0;
  }

  /** What is not known of it. */
  missing({ paths, terms }: Vocabulary): Vocabulary {
    return {
      paths: paths.flatMap((at) => this.missingAt(at)),
      terms: terms.filter((term) => !this.hasTerm(term)),
    };
  }

  private missingAt(at: PathVocabulary): readonly PathVocabulary[] {
    const known = this.paths.get(keyOf(at));
    if (known === undefined) return [at];
    const words = unknown(at.words, known.words);
    const aspects = unknown(at.aspects, known.aspects);
    return words === undefined && aspects === undefined
      ? []
      : [{ ...at, words: words ?? NONE, aspects: aspects ?? NONE }];
  }

  private hasTerm({ kind, value }: Term): boolean {
    return this.terms.get(kind.prefix)?.has(value) === true;
  }

  private remember<T>(known: Set<T>, value: T): void {
    if (known.has(value)) return;
    known.add(value);
    this.count += 1;
  }
}

const NONE: ReadonlySet<never> = new Set<never>();

/** Those that are not known; undefined when all are, as they are for most. */
function unknown<T>(values: ReadonlySet<T>, known: ReadonlySet<T>): ReadonlySet<T> | undefined {
  let found: Set<T> | undefined;
  for (const value of values) if (!known.has(value)) (found ??= new Set<T>()).add(value);
  return found;
}

const keyOf = ({ path, isField }: WordPath): string => (isField ? path : `${path}/`);
