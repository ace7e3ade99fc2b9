import { all, Sql, sql } from '../../../sql/sql.js';
import { wordsOf } from '../fold.js';
import type { NearWord, WordsNear } from '../fuzzy/fuzzy-dictionary.js';
import type { DataPath } from '../terms.js';
import { dataTerm } from '../terms.js';
import type { Narrowing } from './narrowing.js';
import { both, someOfMany } from './narrowing.js';

/** Where a fuzzy condition applies: at one path, or in every field of the declaration. */
export type FuzzyScope = DataPath | 'everyField';

/** The term has words, and each of them is near a word of the `fact` (S-11): of that value, and not of two together. */
export function compileFuzzy(term: string, scope: FuzzyScope, dictionary: WordsNear): Sql {
  const words = wordsOf(term);
  if (words.length === 0) return sql`false`;
  return all(words.map((word) => hasOneOf(nearWords(word, scope, dictionary).map((near) => near.word))));
}

/** The fewest edits in all by which the `fact` satisfies the condition, each word at its best; NULL when it does not (S-12). */
export function compileFuzzyEdits(term: string, scope: FuzzyScope, dictionary: WordsNear): Sql {
  const words = wordsOf(term);
  if (words.length === 0) return sql`null::int`;
  const edits = words.map((word) => editsOfNearest(nearWords(word, scope, dictionary)));
  return Sql.join(edits, ' + ');
}

/** The terms that a record has whose value at `path` satisfies the condition. */
export function narrowingOfFuzzy(term: string, path: DataPath, dictionary: WordsNear): Narrowing {
  const words = wordsOf(term);
  if (words.length === 0) return NOTHING;
  return both(words.map((word) => someOfMany(termsOf(path, dictionary.at(path, word)))));
}

/** A field in which every word of the term has near words: some record may satisfy the condition there. */
export interface FuzzyField {
  readonly path: DataPath;
  /** For each word of the term. */
  readonly near: readonly (readonly NearWord[])[];
}

export function fuzzyFields(term: string, dictionary: WordsNear): readonly FuzzyField[] {
  const words = wordsOf(term).map((word) => dictionary.inEachField(word));
  const paths = new Set(words[0]?.map(({ path }) => path));
  return [...paths]
    .map((path) => ({ path, near: words.map((near) => near.filter((found) => found.path === path)) }))
    .filter(({ near }) => near.every((found) => found.length > 0));
}

/** The terms that a record has which satisfies the condition in one of the fields. */
export function narrowingOfFields(fields: readonly FuzzyField[]): Narrowing {
  const lists = fields.map(({ path, near }) => near.map((found) => termsOf(path, found)));
  if (lists.every(({ length }) => length === 1)) return someOfMany(lists.flat(2));
  return { kind: 'either', parts: lists.map((terms) => both(terms.map(someOfMany))) };
}

const termsOf = (path: DataPath, near: readonly NearWord[]): readonly bigint[] =>
  near.flatMap(({ word }) => termsOfWord(path, word));

/** The twin of `addTermsOfWords`: what a record may have that has the word at the path. */
function termsOfWord(path: DataPath, word: string): readonly bigint[] {
  const terms = [dataTerm(path, 'word', word), dataTerm(path, 'text', word)];
  if (WORD_OF_A_DATE.test(word)) terms.push(dataTerm(path, 'hasDate', ''));
  if (WORD_OF_A_UUID.test(word)) terms.push(dataTerm(path, 'hasId', ''));
  return terms;
}

const WORD_OF_A_DATE = /^(?:\d\d|\d{4})$/;
const WORD_OF_A_UUID = /^(?:[0-9a-f]{4}|[0-9a-f]{8}|[0-9a-f]{12})$/;

const NOTHING: Narrowing = { kind: 'someOf', terms: [] };

const WORDS = sql`coalesce(fact -> 'w', fact -> 'q')`;

const hasOneOf = (words: readonly string[]): Sql => sql`${WORDS} ?| ${words}::text[]`;

function editsOfNearest(near: readonly NearWord[]): Sql {
  const cases = [0, 1, 2].flatMap((edits) => {
    const words = near.filter((found) => found.edits === edits).map(({ word }) => word);
    return words.length === 0 ? [] : [sql`when ${hasOneOf(words)} then ${edits}::int`];
  });
  return cases.length === 0 ? sql`null::int` : sql`case ${Sql.join(cases, ' ')} end`;
}

/** Each word once, by any path where it stands. */
function nearWords(word: string, scope: FuzzyScope, dictionary: WordsNear): readonly NearWord[] {
  if (scope !== 'everyField') return dictionary.at(scope, word);
  return [...new Map(dictionary.inEachField(word).map((found) => [found.word, found])).values()];
}
