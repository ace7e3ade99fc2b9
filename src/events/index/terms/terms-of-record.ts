import type { EventRecord } from '../../../kernel/domain/event-record.js';
import type { Steps } from '../../../platform/queue/time-slice.js';
import { isComparedExactly } from './near-words.js';
import { type DataPath, fieldOf, insideOf, memberOf } from '../values/data-path.js';
import type { Fact, Facts } from '../values/facts.js';
import { joinedText, wordsOf } from '../values/fold.js';
import { bucketOf } from '../values/number-of.js';
import { type KnownPath, KnownVocabulary } from './known-vocabulary.js';
import type { ShapeAspect, TermAspect, Terms } from './terms.js';
import { isFindable, type PathVocabulary, type Vocabulary } from './vocabulary.js';

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

/** Fewer are scanned faster; nearly every field has fewer. */
const FEW_TERMS = 32;

const add = (byValue: Map<string, TermAspect[]>, value: string, aspect: TermAspect): void => {
  const aspects = byValue.get(value);
  if (aspects === undefined) byValue.set(value, [aspect]);
  else aspects.push(aspect);
};

class FieldTerms {
  /** By aspect and value. */
  private readonly aspects: TermAspect[] = [];
  private readonly values: string[] = [];
  /** Once there are too many to scan. */
  private byValue: Map<string, TermAspect[]> | undefined;
  private readonly kinds;
  private readonly here;
  private worded = 0;

  constructor(
    path: DataPath,
    private readonly found: CollectedTerms,
  ) {
    this.kinds = found.terms.field(path);
    this.here = found.at(path, true);
  }

  has(aspect: TermAspect, value: string): boolean {
    if (this.byValue !== undefined) return this.byValue.get(value)?.includes(aspect) === true;
    for (let at = 0; at < this.values.length; at++) {
      if (this.values[at] === value && this.aspects[at] === aspect) return true;
    }
    return false;
  }

  addTerm(aspect: TermAspect, value: string): void {
    if (this.has(aspect, value)) return;
    this.remember(aspect, value);
    this.found.add(this.kinds.kind(aspect).term(value).hash);
    this.here.addAspect(aspect);
  }

  private remember(aspect: TermAspect, value: string): void {
    this.aspects.push(aspect);
    this.values.push(value);
    if (this.byValue !== undefined) add(this.byValue, value, aspect);
    else if (this.values.length > FEW_TERMS) {
      const byValue = new Map<string, TermAspect[]>();
      this.aspects.forEach((one, at) => {
        add(byValue, this.values[at] ?? '', one);
      });
      this.byValue = byValue;
    }
  }

  addAspect(aspect: ShapeAspect): void {
    this.here.addAspect(aspect);
  }

  add(fact: Fact): void {
    const { t, n, d, r, c, a, w, q, j = [] } = fact;
    if (w !== undefined) this.addName(w, j);
    else if (d !== undefined) this.addDate(d, q ?? []);
    else if (t !== undefined && q !== undefined) this.addText(fact, t, q);
    else if (t !== undefined) this.addTerm('plain', t);
    if (n !== undefined) {
      this.addTerm('number', String(n));
      this.addTerm('bucket', String(bucketOf(n)));
    }
    if (r !== undefined) this.addTerm('range', '');
    if (c !== undefined) this.addTerm('country', c);
    if (c !== undefined && a !== undefined) this.addTerm('area', a);
  }

  close(): void {
    if (this.worded > 1) this.here.addAspect('several');
  }

  private addName(words: readonly string[], joins: readonly string[]): void {
    this.countWords(words);
    for (const word of words) this.addWord('nameWord', word);
    for (const join of joins) this.addTerm('nameJoin', join);
  }

  private addDate(date: string, words: readonly string[]): void {
    this.countWords(words);
    this.addTerm('month', date.slice(0, 7));
    this.addTerm('day', date);
    for (const word of words) this.here.addWord(word);
    this.here.addAspect(`year ${date.slice(0, 4)}`);
  }

  private addText({ x, a }: Fact, text: string, words: readonly string[]): void {
    this.countWords(words);
    if (x !== undefined && beginsWithDigit(x)) this.addHead(x, a !== undefined);
    if (isSole(text, words)) this.addWord('sole', text);
    else if (text.length > LONGEST_TEXT) {
      this.addTerm('text', text);
      this.addTerm('long', '');
      for (const word of words) this.here.addWord(word);
    } else {
      if (a !== undefined) this.addTerm('place', a);
      else {
        if (x !== undefined || !isKnownByItsWords(text, words)) this.addTerm('text', text);
        else this.here.addAspect('alternative');
      }
      for (const word of words) this.addWord('word', word);
    }
  }

  private addWord(aspect: TermAspect, word: string): void {
    this.addTerm(aspect, word);
    this.here.addWord(word);
  }

  /** Identity and telephone numbers need no other term. */
  private addHead(text: string, isId: boolean): void {
    if (isId || MANY_DIGITS.test(text)) this.here.addAspect('digits');
    else this.addTerm('head', text.charAt(0));
  }

  private countWords(words: readonly string[]): void {
    if (words.length > 0) this.worded += 1;
  }
}

/** In UTF-16 units; longer texts have no terms for words. */
const LONGEST_TEXT = 256;

const MANY_DIGITS = /^\d{5,}$/;

export const beginsWithDigit = (text: string): boolean => /^[0-9]/.test(text);

export const isSole = (text: string, words: readonly string[]): boolean => words.length === 1 && words[0] === text;

/** Whether its words select candidates, for a text of `ignoringCase`. */
const isKnownByItsWords = (text: string, words: readonly string[]): boolean =>
  words.length > 0 && wordsOf(text).every((word) => words.includes(word));

/** Longer texts have no terms for words. */
const MOST_WORDS = 16;

/** In every domestic address, hence not selective. */
export const WORD_WITHOUT_TERMS = 'domestic';

const CODE = /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/;
const UUID =
  /(?<![\p{L}\p{M}\p{Nd}])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{M}\p{Nd}])/iu;

/** They tell presence, not position, so conditions are rechecked. Terms of the field are not repeated. */
class InsideTerms {
  private here: CollectedPath | undefined;

  constructor(
    private readonly path: DataPath,
    private readonly field: FieldTerms,
    private readonly found: CollectedTerms,
  ) {}

  /** Each value is a step. */
  *add(members: Facts, parent: DataPath): Steps<void> {
    for (const [key, alternatives] of Object.entries(members)) {
      const path = memberOf(parent, key);
      for (const fact of alternatives) {
        this.addFact(fact, path);
        yield;
        if (fact.m !== undefined) yield* this.add(fact.m, path);
      }
    }
  }

  private addFact(fact: Fact, path: DataPath): void {
    const { t, n, d, r, w, q, j = [] } = fact;
    // Also of an opaque part.
    for (const join of j) if (!this.field.has('nameJoin', join)) this.field.addTerm('inside', join);
    if (w !== undefined) this.addWords(w);
    else if (d !== undefined) this.addOpaque(d, q ?? [], path);
    else if (t !== undefined && q !== undefined) this.addText(fact, t, q, path);
    else if (t !== undefined) this.addWhole(t);
    if (n !== undefined && !this.field.has('number', String(n))) this.field.addTerm('inside', String(n));
    if (r !== undefined) this.field.addAspect('insideRange');
  }

  private addText({ x, a }: Fact, text: string, words: readonly string[], path: DataPath): void {
    const spelled = x ?? text;
    if (a !== undefined || hasUuid(spelled)) {
      this.found.at(path, false).addAspect('id');
      this.addOpaque(text, words, path);
    } else if (isOpaque(spelled, words)) this.addOpaque(text, words, path);
    else {
      this.addWords(words);
      if (!isKnownByItsWords(text, words)) this.addWhole(text);
    }
  }

  private addWords(words: readonly string[]): void {
    const { field } = this;
    for (const word of words) {
      if (field.has('nameWord', word) || field.has('word', word) || field.has('sole', word)) continue;
      (this.here ??= this.found.at(insideOf(this.path), false)).addWord(word);
      if (word !== WORD_WITHOUT_TERMS && !field.has('country', word)) field.addTerm('inside', word);
    }
  }

  private addOpaque(text: string, words: readonly string[], path: DataPath): void {
    const here = this.found.at(path, false);
    here.addAspect('opaque');
    for (const word of words) here.addWord(word);
    this.addWhole(text);
  }

  private addWhole(text: string): void {
    if (!WHOLES_OF_FIELD.some((aspect) => this.field.has(aspect, text))) this.field.addTerm('whole', text);
  }
}

/** The field's aspects equivalent to `whole`. */
export const WHOLES_OF_FIELD = ['plain', 'text', 'sole', 'place', 'area', 'country'] as const;

/** The field's aspects equivalent to `inside`. */
export const WORDS_OF_FIELD = ['nameWord', 'word', 'sole', 'country'] as const;

/** Paths, codes and long texts. */
const isOpaque = (text: string, words: readonly string[]): boolean =>
  text.includes('/') || text.length > LONGEST_TEXT || words.length > MOST_WORDS || CODE.test(text);

/** Parts of addresses and joined parts are no words. */
const hasUuid = (text: string): boolean => text.includes('-') && !text.includes('@') && UUID.test(joinedText(text));

/** A value per step. Each condition on a field has an exact term; insides have coarser ones: `InsideTerms`. */
export function* collectDataTerms(facts: Facts, found: CollectedTerms): Steps<void> {
  for (const fieldId of Object.keys(facts)) {
    const alternatives = facts[fieldId] ?? [];
    const path = fieldOf(fieldId);
    const field = new FieldTerms(path, found);
    for (const fact of alternatives) {
      field.add(fact);
      yield;
    }
    field.close();
    let inside: InsideTerms | undefined;
    for (const { m } of alternatives) {
      if (m !== undefined) yield* (inside ??= new InsideTerms(path, field, found)).add(m, path);
    }
  }
}

export interface RecordTerms {
  /** Each once. */
  readonly hashes: readonly bigint[];
  /** Without known parts. */
  readonly vocabulary: Vocabulary;
}

/** `facts` are those of the record's declaration. */
export function* termsOfRecord(
  record: EventRecord,
  facts: Facts,
  terms: Terms,
  known = new KnownVocabulary(),
): Steps<RecordTerms> {
  const found = new CollectedTerms(terms, known);
  terms.visitMetadata(record, (hash) => {
    found.add(hash);
  });
  yield* collectDataTerms(facts, found);
  return found;
}
