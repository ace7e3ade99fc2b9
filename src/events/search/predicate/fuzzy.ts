import type { NearWord, WordsNear } from '../../index/near-words/fuzzy-dictionary.js';
import type { Term } from '../../index/terms/term-kind.js';
import { type DataPath, insideOf } from '../../index/values/data-path.js';
import { wordsOf } from '../../index/values/fold.js';
import type { ValueCondition } from '../../../kernel/domain/search-request.js';
import { all, any, Sql, sql } from '../../../kernel/sql/sql.js';
import type { SearchContext } from './search-context.js';
import { Once } from './worked-out.js';
import { type Candidates, eitherOf, NO_CANDIDATES, oneOfOrAny, unsureOneOf } from './candidates.js';
import { termsOfDatesWith } from './date-terms.js';
import { type Field, fieldAt, ofOneValue } from './field.js';
import type { NearInValue, PartsNear } from './near-in-value.js';
import { isLikeOneOf, NO_PARTS, partsNear } from './parts-near.js';
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

/** For each word of the term, what is near it at a path inside a field. */
export function nearInside(term: string, at: Inside, context: SearchContext): readonly NearInValue[] {
  const near = nearWordsInside(term, at, context);
  const hasIds = context.shapes.inside(at.path).has('id');
  return wordsOf(term).map((word, number) => nearIn(near[number] ?? [], hasIds ? partsNear(word, context) : NO_PARTS));
}

function nearIn(words: readonly NearWord[], parts: PartsNear): NearInValue {
  const upTo = EDITS.map((most) =>
    words.some(({ edits }) => edits === most)
      ? words.filter(({ edits }) => edits <= most).map(({ word }) => word)
      : undefined,
  );
  return { words, upTo, parts };
}

const EDITS = [0, 1, 2] as const;

/** The term has words, and each of them is near a word of the `fact` (S-11): of this one value, not of two together. */
export function compileFuzzy(term: string, scope: FuzzyScope, context: SearchContext): Sql {
  const near = nearInValue(term, scope, context);
  if (near.length === 0) return sql`false`;
  const [first, ...others] = near;
  if (others.length === 0 && first?.parts === NO_PARTS) return hasOneOf(first, WORDS);
  return overWords((words) => all(near.map((one) => hasOneOf(one, words))));
}

/**
 * The fewest edits in total by which the `fact` satisfies the condition, each word at its best; NULL if it does not
 * (S-12).
 */
export function compileFuzzyEdits(term: string, scope: FuzzyScope, context: SearchContext): Sql {
  const near = nearInValue(term, scope, context);
  if (near.length === 0) return sql`null::int`;
  return overWords((words) =>
    Sql.join(
      near.map((one) => editsOfWord(one, words)),
      ' + ',
    ),
  );
}

/** The words of the `fact` are made once for all tests of them, in the text of the statement as well (Q-1). */
function overWords(test: (words: Sql) => Sql): Sql {
  return sql`(select ${test(sql`own.words`)} from (select ${WORDS} as words offset 0) as own)`;
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

/** The fewest edits among the near words that `isThere` finds; NULL if it finds none. */
export const leastEdits = (near: readonly NearWord[], isThere: (words: readonly NearWord[]) => Sql): Sql =>
  casesOf((edits) => {
    const words = near.filter((found) => found.edits === edits);
    return words.length === 0 ? [] : [isThere(words)];
  });

/** The fewest edits of what is near a word among the `words`; NULL if nothing is. */
const editsOfWord = ({ upTo, parts }: NearInValue, words: Sql): Sql =>
  casesOf((edits) => tests(upTo[edits], parts[edits], words));

function casesOf(testsOf: (edits: number) => readonly Sql[]): Sql {
  const cases = EDITS.flatMap((edits) => {
    const found = testsOf(edits);
    return found.length === 0 ? [] : [sql`when ${any(found)} then ${edits}::int`];
  });
  return cases.length === 0 ? sql`null::int` : sql`case ${Sql.join(cases, ' ')} end`;
}

/** One of the `words` is near. */
const hasOneOf = ({ upTo, parts }: NearInValue, words: Sql): Sql =>
  any(
    tests(
      upTo.findLast((some) => some !== undefined),
      parts.at(-1),
      words,
    ),
  );

const tests = (list: readonly string[] | undefined, parts: PartsNear[number], words: Sql): readonly Sql[] => [
  ...(list === undefined ? [] : [sql`${words} && ${list}::text[]`]),
  ...(parts === undefined ? [] : [isLikeOneOf(parts, words)]),
];

/** The same lists, however often they are asked for. */
function nearInValue(term: string, scope: FuzzyScope, context: SearchContext): readonly NearInValue[] {
  const known = context.workedOut?.nearInValue;
  const key = JSON.stringify([term, scope]);
  const found = known?.get(key) ?? findNear(term, scope, context);
  known?.set(key, found);
  return found;
}

function findNear(term: string, scope: FuzzyScope, context: SearchContext): readonly NearInValue[] {
  if (scope.kind === 'inside') return nearInside(term, scope, context);
  const near =
    scope.kind === 'field'
      ? nearWordsOf(term, scope.path, context.dictionary)
      : wordsOf(term).map((word) => context.dictionary.inEachField(word).words);
  return near.map((words) => nearIn(words, NO_PARTS));
}

/** Each word once, with any path where it occurs. */
const eachOnce = (near: readonly NearWord[]): readonly NearWord[] => [
  ...new Map(near.map((found) => [found.word, found])).values(),
];
