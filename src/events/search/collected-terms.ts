import type { ShapeAspect } from './data-aspect.js';
import type { DataPath } from './data-path.js';
import type { Term, TermKind } from './term-kind.js';
import type { KnownPath, KnownVocabulary } from './vocabulary/known-vocabulary.js';
import type { PathVocabulary, Vocabulary } from './vocabulary/vocabulary.js';

/** Longer words are in no dictionary: an index of Postgres does not take much longer ones. A term of 256 code points (S-4) is near such a word only when ligatures by the dozen are folded in it. */
const MOST_WORD_BYTES = 2_400;

/** The terms of a record, each once, and of its vocabulary what is not known. */
export class CollectedTerms {
  private readonly found = new Set<bigint>();
  private readonly terms: Term[] = [];
  private readonly byPath = new Map<string, CollectedPath>();

  constructor(private readonly known: KnownVocabulary) {}

  get hashes(): readonly bigint[] {
    return [...this.found];
  }

  get vocabulary(): Vocabulary {
    const paths = [...this.byPath.values()].filter(({ words, aspects }) => words.size > 0 || aspects.size > 0);
    return { paths, terms: this.terms };
  }

  /** Whether the term is known: then so is everything that is written with it. */
  add(kind: TermKind, value: string): boolean {
    const known = this.known.hashOf(kind, value);
    if (known !== undefined) {
      this.found.add(known);
      return true;
    }
    const term = kind.term(value);
    if (term.isCountable) this.terms.push(term);
    this.found.add(term.hash);
    return false;
  }

  at(path: DataPath, isField: boolean): CollectedPath {
    // A key with a slash in it can spell the path of a member.
    const key = isField ? `f${path}` : `m${path}`;
    let here = this.byPath.get(key);
    if (here === undefined) {
      here = new CollectedPath(path, isField, this.known.at({ path, isField }));
      this.byPath.set(key, here);
    }
    return here;
  }
}

/** What is not known of what occurs at one path. */
export class CollectedPath implements PathVocabulary {
  readonly words = new Set<string>();
  readonly aspects = new Set<ShapeAspect>();

  constructor(
    readonly path: DataPath,
    readonly isField: boolean,
    private readonly known: KnownPath | undefined,
  ) {}

  addAspect(aspect: ShapeAspect): void {
    if (this.known?.aspects.has(aspect) !== true) this.aspects.add(aspect);
  }

  addWord(word: string): void {
    if (this.known?.words.has(word) === true) return;
    if (word.length <= MOST_WORD_BYTES / 3 || Buffer.byteLength(word) <= MOST_WORD_BYTES) this.words.add(word);
  }
}
