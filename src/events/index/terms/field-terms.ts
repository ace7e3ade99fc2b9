import type { ShapeAspect, TermAspect } from './data-aspect.js';
import type { DataPath } from '../values/data-path.js';
import type { Fact } from '../values/facts.js';
import { wordsOf } from '../values/fold.js';
import { bucketOf } from '../values/number-bucket.js';
import type { CollectedTerms } from './collected-terms.js';

/** Fewer are scanned faster; nearly every field has fewer. */
const FEW_TERMS = 32;

const add = (byValue: Map<string, TermAspect[]>, value: string, aspect: TermAspect): void => {
  const aspects = byValue.get(value);
  if (aspects === undefined) byValue.set(value, [aspect]);
  else aspects.push(aspect);
};

export class FieldTerms {
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
export const LONGEST_TEXT = 256;

const MANY_DIGITS = /^\d{5,}$/;

export const beginsWithDigit = (text: string): boolean => /^[0-9]/.test(text);

export const isSole = (text: string, words: readonly string[]): boolean => words.length === 1 && words[0] === text;

/** Whether its words select candidates, for a text of `ignoringCase`. */
export const isKnownByItsWords = (text: string, words: readonly string[]): boolean =>
  words.length > 0 && wordsOf(text).every((word) => words.includes(word));
