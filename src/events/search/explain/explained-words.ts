import type { NearWord } from '../../index/near-words/fuzzy-dictionary.js';
import { type DataPath, fieldOf, memberOf } from '../../index/values/data-path.js';
import { wordsOf } from '../../index/values/fold.js';
import type { Condition, DataInput } from '../../../kernel/domain/search-request.js';
import { nearWordsInside, nearWordsOf } from '../predicate/fuzzy.js';
import type { SearchContext } from '../predicate/search-context.js';

/** A word of a fuzzy term, and the words that it finds. */
export interface ExplainedWord {
  readonly word: string;
  /** The nearest first; the first hundred. */
  readonly near: readonly NearWord[];
}

const MOST_LISTED = 100;

/** The words of the fuzzy conditions in it, each with the words it finds. */
export function explainWords(condition: Condition, context: SearchContext): readonly ExplainedWord[] {
  if (condition.on === 'data') {
    return condition.members.flatMap(({ key, input }) => wordsOfField(input, fieldOf(key), context));
  }
  if (condition.on !== 'anyField' || condition.condition.type !== 'fuzzy') return [];
  return wordsOf(condition.condition.term).map((word) => explained(word, context.dictionary.inEachField(word).words));
}

function wordsOfField(input: DataInput, field: DataPath, context: SearchContext): readonly ExplainedWord[] {
  if (input.type === 'fuzzy') return paired(input.term, nearWordsOf(input.term, field, context.dictionary));
  return input.type === 'map' ? wordsInside(input, field, field, context) : [];
}

function wordsInside(
  input: DataInput,
  field: DataPath,
  path: DataPath,
  context: SearchContext,
): readonly ExplainedWord[] {
  if (input.type === 'fuzzy') {
    return paired(input.term, nearWordsInside(input.term, { kind: 'inside', field, path }, context));
  }
  return input.type === 'map'
    ? input.members.flatMap((member) => wordsInside(member.input, field, memberOf(path, member.key), context))
    : [];
}

const paired = (term: string, near: readonly (readonly NearWord[])[]): readonly ExplainedWord[] =>
  wordsOf(term).map((word, at) => explained(word, near[at] ?? []));

const explained = (word: string, near: readonly NearWord[]): ExplainedWord => ({
  word,
  near: near.toSorted((one, other) => one.edits - other.edits).slice(0, MOST_LISTED),
});
