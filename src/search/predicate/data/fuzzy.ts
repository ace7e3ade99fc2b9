import type { NearWord, WordsNear } from '../../../derived/near-words/fuzzy-dictionary.js';
import type { UuidPartsNear } from '../../../derived/near-words/uuid-parts-near.js';
import { uuidPartsNear } from '../../../derived/near-words/uuid-parts-near.js';
import type { Term } from '../../../derived/terms/term-kind.js';
import type { DataPath } from '../../../derived/values/data-path.js';
import { insideOf } from '../../../derived/values/data-path.js';
import { wordsOf } from '../../../derived/values/fold.js';
import type { ValueCondition } from '../../../domain/search-request.js';
import { all, any, Sql, sql } from '../../../sql/sql.js';
import type { SearchContext } from '../search-context.js';
import { Once } from '../worked-out.js';
import type { Candidates } from './candidates.js';
import { eitherOf, NO_CANDIDATES, oneOfOrAny, unsureOneOf } from './candidates.js';
import { termsOfDatesWith } from './date-terms.js';
import type { Field } from './field.js';
import { fieldAt, ofOneValue } from './field.js';
import { WORDS } from './stored-fact.js';

/** A fuzzy condition on a value. */
export type FuzzyCondition = ValueCondition & { readonly type: 'fuzzy' };

/** For each word of a term, the words near it; empty if the term has no word (S-11). */
export type NearWords = readonly (readonly NearWord[])[];

/** Where a fuzzy condition applies: to a field, to a value inside one, or to each field of the declaration. */
export type FuzzyScope =
  | { readonly kind: 'field'; readonly path: DataPath }
  | { readonly kind: 'inside'; readonly field: DataPath; readonly path: DataPath }
  | { readonly kind: 'everyField' };

/** For each word of the term, the words of records near it. */
export const nearWordsOf = (term: string, path: DataPath, dictionary: WordsNear): NearWords =>
  wordsOf(term).map((word) => dictionary.at(path, word));

/** Where a value inside a field is. */
type Inside = FuzzyScope & { readonly kind: 'inside' };

/** The words of records near those of the term, at a path inside a field. */
export const nearWordsInside = (term: string, { field, path }: Inside, { dictionary }: SearchContext): NearWords =>
  wordsOf(term).map((word) => eachOnce([field, insideOf(field), path].flatMap((at) => dictionary.at(at, word))));

/** What a record may have that is near a word. */
export interface NearInValue {
  /** Words of records. */
  readonly words: readonly NearWord[];
  /** Parts of UUIDs, whose words are not stored. */
  readonly parts: UuidPartsNear;
}

/** For each word of the term, what is near it at a path inside a field. */
export function nearInside(term: string, at: Inside, context: SearchContext): readonly NearInValue[] {
  const near = nearWordsInside(term, at, context);
  const hasIds = context.shapes.inside(at.path).has('id');
  return wordsOf(term).map((word, number) => ({
    words: near[number] ?? [],
    parts: hasIds ? partsNear(word, context) : NO_PARTS,
  }));
}

const NO_PARTS: UuidPartsNear = [];

/** The parts of UUIDs near the word, found once for a search. */
export function partsNear(word: string, { workedOut }: Pick<SearchContext, 'workedOut'>): UuidPartsNear {
  const parts = workedOut?.partsNear.get(word) ?? uuidPartsNear(word);
  workedOut?.partsNear.set(word, parts);
  return parts;
}

/** The term has words, and each of them is near a word of the `fact` (S-11): of this one value, not of two together. */
export function compileFuzzy(term: string, scope: FuzzyScope, context: SearchContext): Sql {
  const near = nearInValue(term, scope, context);
  if (near.length === 0) return sql`false`;
  return all(near.map(({ words, parts }) => hasOneOf(words, parts.at(-1))));
}

/**
 * The fewest edits in total by which the `fact` satisfies the condition, each word at its best; NULL if it does not
 * (S-12).
 */
export function compileFuzzyEdits(term: string, scope: FuzzyScope, context: SearchContext): Sql {
  const near = nearInValue(term, scope, context);
  if (near.length === 0) return sql`null::int`;
  return Sql.join(
    near.map(({ words, parts }) => leastEdits(words, hasOneOf, parts)),
    ' + ',
  );
}

/** The records in which a field has a word near each word of the term. */
export function candidatesOfWords(near: NearWords, field: Field): Candidates {
  return ofOneValue(
    near.map((words) => candidatesOfWord(words, field)),
    field,
  );
}

function candidatesOfWord(near: readonly NearWord[], field: Field): Candidates {
  const { shape, kinds } = field;
  if (near.length === 0) return NO_CANDIDATES;
  const found = oneOfOrAny(termsOfWords(near, field));
  return shape.has('long') ? eitherOf([found, unsureOneOf([kinds.kind('long').term('')])]) : found;
}

/** The terms of records whose field has one of the words, except in long texts; undefined if they are too many. */
export function termsOfWords(near: readonly NearWord[], { shape, kinds }: Field): readonly Term[] | undefined {
  const terms = (['nameWord', 'word', 'sole'] as const)
    .filter((aspect) => shape.has(aspect))
    .flatMap((aspect) => near.map(({ word }) => kinds.kind(aspect).term(word)));
  if (!shape.has('day')) return terms;
  const ofDates = near.map(({ word }) => termsOfDatesWith(word, shape.years, kinds));
  return ofDates.includes(undefined) ? undefined : [...terms, ...ofDates.flatMap((some) => some ?? [])];
}

/** A field in which every word of the term has near words: some record may satisfy the condition there. */
export interface FuzzyField extends Field {
  readonly near: NearWords;
}

const FIELDS = new Once<readonly FuzzyField[] | undefined>();

/** The fields of a condition on any field; undefined when too many have near words for each to be named. */
export const fuzzyFields = (condition: FuzzyCondition, context: SearchContext): readonly FuzzyField[] | undefined =>
  FIELDS.of(context.workedOut, condition, () => findFields(condition.term, context));

function findFields(term: string, context: SearchContext): readonly FuzzyField[] | undefined {
  const found = wordsOf(term).map((word) => context.dictionary.inEachField(word));
  // A word that occurs nowhere leaves no field, however many fields have the others.
  if (found.some(({ words }) => words.length === 0)) return [];
  const words = found.map(({ byField }) => byField).filter((byField) => byField !== undefined);
  if (words.length < found.length) return undefined;
  return [...(words[0]?.keys() ?? [])]
    .map((path) => ({ ...fieldAt(path, context), near: words.map((byField) => byField.get(path) ?? []) }))
    .filter(({ near }) => near.every((some) => some.length > 0));
}

/** The fewest edits among the near words, and parts of UUIDs, that `isThere` finds; NULL if it finds none. */
export function leastEdits(
  near: readonly NearWord[],
  isThere: (words: readonly NearWord[], parts?: readonly string[]) => Sql,
  parts: UuidPartsNear = NO_PARTS,
): Sql {
  const cases = [0, 1, 2].flatMap((edits) => {
    const words = near.filter((found) => found.edits === edits);
    const patterns = parts[edits] ?? [];
    return words.length + patterns.length === 0 ? [] : [sql`when ${isThere(words, patterns)} then ${edits}::int`];
  });
  return cases.length === 0 ? sql`null::int` : sql`case ${Sql.join(cases, ' ')} end`;
}

/** The `fact` has one of the words, or a word like one of the patterns: by length first, which spares most of them. */
function hasOneOf(near: readonly NearWord[], patterns: readonly string[] = []): Sql {
  const hasWord = sql`${WORDS} && ${near.map(({ word }) => word)}::text[]`;
  if (patterns.length === 0) return hasWord;
  const lengths = [...new Set(patterns.map(({ length }) => length))];
  return any([
    hasWord,
    sql`exists (select from unnest(${WORDS}) as word
      where length(word) = any(${lengths}::int[]) and word like any(${patterns}::text[]))`,
  ]);
}

function nearInValue(term: string, scope: FuzzyScope, context: SearchContext): readonly NearInValue[] {
  if (scope.kind === 'inside') return nearInside(term, scope, context);
  const near =
    scope.kind === 'field'
      ? nearWordsOf(term, scope.path, context.dictionary)
      : wordsOf(term).map((word) => context.dictionary.inEachField(word).words);
  return near.map((words) => ({ words, parts: NO_PARTS }));
}

/** Each word once, with any path where it occurs. */
const eachOnce = (near: readonly NearWord[]): readonly NearWord[] => [
  ...new Map(near.map((found) => [found.word, found])).values(),
];
