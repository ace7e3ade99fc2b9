import type { Steps } from '../../../platform/queue/time-slice.js';
import { type DataPath, insideOf, memberOf } from '../values/data-path.js';
import type { Fact, Facts } from '../values/facts.js';
import { joinedText } from '../values/fold.js';
import type { CollectedPath, CollectedTerms } from './collected-terms.js';
import { type FieldTerms, isKnownByItsWords, LONGEST_TEXT } from './field-terms.js';

/** Longer texts have no terms for words. */
const MOST_WORDS = 16;

/** In every domestic address, hence not selective. */
export const WORD_WITHOUT_TERMS = 'domestic';

const CODE = /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/;
const UUID =
  /(?<![\p{L}\p{M}\p{Nd}])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{M}\p{Nd}])/iu;

/** They tell presence, not position, so conditions are rechecked. Terms of the field are not repeated. */
export class InsideTerms {
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
