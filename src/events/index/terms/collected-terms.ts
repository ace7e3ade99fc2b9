import type { ShapeAspect } from './data-aspect.js';
import type { DataPath } from '../values/data-path.js';
import { isFindable } from './findable-word.js';
import type { KnownPath, KnownVocabulary } from './known-vocabulary.js';
import { isComparedExactly } from '../near-words/compared-exactly.js';
import type { Terms } from './terms.js';
import type { PathVocabulary, Vocabulary } from './vocabulary.js';

export class CollectedTerms {
  private readonly found = new Set<bigint>();
  private readonly fields = new Map<DataPath, CollectedPath>();
  /** A key with a slash can imitate a field's path. */
  private readonly insides = new Map<DataPath, CollectedPath>();

  constructor(
    readonly terms: Terms,
    private readonly known: KnownVocabulary,
  ) {}

  get hashes(): readonly bigint[] {
    return [...this.found];
  }

  get vocabulary(): Vocabulary {
    const paths: CollectedPath[] = [];
    for (const at of this.fields.values()) if (!at.isEmpty) paths.push(at);
    for (const at of this.insides.values()) if (!at.isEmpty) paths.push(at);
    return { paths };
  }

  add(hash: bigint): void {
    this.found.add(hash);
  }

  at(path: DataPath, isField: boolean): CollectedPath {
    const byPath = isField ? this.fields : this.insides;
    let here = byPath.get(path);
    if (here === undefined) {
      here = new CollectedPath(path, isField, this.known.at(path, isField));
      byPath.set(path, here);
    }
    return here;
  }
}

export class CollectedPath implements PathVocabulary {
  // Created on demand: usually everything is known.
  private newWords: Set<string> | undefined;
  private newAspects: Set<ShapeAspect> | undefined;

  constructor(
    readonly path: DataPath,
    readonly isField: boolean,
    private readonly known: KnownPath | undefined,
  ) {}

  get words(): ReadonlySet<string> {
    return this.newWords ?? NOTHING;
  }

  get aspects(): ReadonlySet<ShapeAspect> {
    return this.newAspects ?? NOTHING;
  }

  get isEmpty(): boolean {
    return this.newWords === undefined && this.newAspects === undefined;
  }

  addAspect(aspect: ShapeAspect): void {
    if (this.known?.aspects.has(aspect) !== true) (this.newAspects ??= new Set()).add(aspect);
  }

  addWord(word: string): void {
    if (isComparedExactly(word) || this.known?.words.has(word) === true) return;
    if (isFindable(word)) (this.newWords ??= new Set()).add(word);
  }
}

const NOTHING: ReadonlySet<never> = new Set<never>();
