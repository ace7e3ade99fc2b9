import type { ShapeAspect, TermAspect } from './data-aspect.js';
import { kindsOf } from './data-aspect.js';
import type { DataPath } from './data-path.js';
import type { Fact } from './facts.js';
import { wordsOf } from './fold.js';
import { bucketOf } from './number-bucket.js';
import type { Term } from './term-kind.js';
import type { PathVocabulary } from './vocabulary/vocabulary.js';

/** Longer words are in no dictionary: an index of Postgres does not take much longer ones. A term of 256 code points (S-4) is near such a word only when ligatures by the dozen are folded in it. */
const MOST_WORD_BYTES = 2_400;

/** Collects terms and paths. */
export class Collected {
  readonly terms: Term[] = [];
  private readonly byPath = new Map<string, PathVocabulary & { words: Set<string>; aspects: Set<ShapeAspect> }>();

  get paths(): readonly PathVocabulary[] {
    return [...this.byPath.values()];
  }

  at(path: DataPath, isField: boolean): { readonly words: Set<string>; readonly aspects: Set<ShapeAspect> } {
    // A key with a slash in it can spell the path of a member.
    const id = `${isField} ${path}`;
    const known = this.byPath.get(id);
    if (known !== undefined) return known;
    const made = { path, isField, words: new Set<string>(), aspects: new Set<ShapeAspect>() };
    this.byPath.set(id, made);
    return made;
  }
}

/** The terms of one field of one declaration. */
export class FieldTerms {
  /** The values that have terms, by aspect. */
  private readonly values = new Map<TermAspect, Set<string>>();
  private readonly kinds;
  private readonly here;
  private worded = 0;

  constructor(
    path: DataPath,
    private readonly found: Collected,
  ) {
    this.kinds = kindsOf(path);
    this.here = found.at(path, true);
  }

  has(aspect: TermAspect, value: string): boolean {
    return this.values.get(aspect)?.has(value) === true;
  }

  /** Adds the term unless it is there. */
  addTerm(aspect: TermAspect, value: string): void {
    let values = this.values.get(aspect);
    if (values === undefined) {
      values = new Set();
      this.values.set(aspect, values);
      this.here.aspects.add(aspect);
    }
    if (values.has(value)) return;
    values.add(value);
    this.found.terms.push(this.kinds.kind(aspect).term(value));
  }

  addAspect(aspect: ShapeAspect): void {
    this.here.aspects.add(aspect);
  }

  add(fact: Fact): void {
    const { t, n, d, r, c, a, w, q } = fact;
    if (w !== undefined) this.addName(w);
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
    if (this.worded > 1) this.here.aspects.add('several');
  }

  private addName(words: readonly string[]): void {
    this.addWords(words);
    for (const word of words) this.addTerm('nameWord', word);
  }

  private addDate(date: string, words: readonly string[]): void {
    this.addWords(words);
    this.addTerm('day', date);
    this.addTerm('month', date.slice(0, 7));
    this.here.aspects.add(`year ${date.slice(0, 4)}`);
  }

  private addText({ x, a }: Fact, text: string, words: readonly string[]): void {
    this.addWords(words);
    if (x !== undefined && beginsWithDigit(x)) this.addHead(x, a !== undefined);
    if (isSole(text, words)) this.addTerm('sole', text);
    else if (text.length > LONGEST_TEXT) {
      this.addTerm('text', text);
      this.addTerm('long', '');
    } else {
      if (a !== undefined) this.addTerm('place', a);
      else if (x !== undefined || !isKnownByItsWords(text, words)) this.addTerm('text', text);
      else this.here.aspects.add('alternative');
      for (const word of words) this.addTerm('word', word);
    }
  }

  /** Identity numbers and telephone numbers are not worth a term more. */
  private addHead(text: string, isId: boolean): void {
    if (isId || MANY_DIGITS.test(text)) this.here.aspects.add('digits');
    else this.addTerm('head', text.charAt(0));
  }

  private addWords(words: readonly string[]): void {
    if (words.length > 0) this.worded += 1;
    addWords(this.here.words, words);
  }
}

/** Longer texts have no terms of their words, in UTF-16 units. */
export const LONGEST_TEXT = 256;

const MANY_DIGITS = /^\d{5,}$/;

export const beginsWithDigit = (text: string): boolean => /^[0-9]/.test(text);

export const isSole = (text: string, words: readonly string[]): boolean => words.length === 1 && words[0] === text;

/** Whether a condition on the whole text is narrowed by the words of that text as `ignoringCase` has it. */
export const isKnownByItsWords = (text: string, words: readonly string[]): boolean =>
  words.length > 0 && wordsOf(text).every((word) => words.includes(word));

export function addWords(into: Set<string>, words: Iterable<string>): void {
  for (const word of words) {
    if (word.length <= MOST_WORD_BYTES / 3 || Buffer.byteLength(word) <= MOST_WORD_BYTES) into.add(word);
  }
}
