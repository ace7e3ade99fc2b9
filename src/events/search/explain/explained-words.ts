import type { NearWord } from '../../index/near-words/fuzzy-dictionary.js';
import type { DataPath } from '../../index/values/data-path.js';
import { fieldOf, memberOf } from '../../index/values/data-path.js';
import { cutsOf, runsIn } from '../../index/values/joined-words.js';
import type { Condition, DataInput } from '../../../kernel/domain/search-request.js';
import { nearRunInside } from '../predicate/fuzzy.js';
import type { SearchContext } from '../predicate/search-context.js';

export interface ExplainedWord {
  readonly word: string;
  /** At most a hundred, nearest first. */
  readonly near: readonly NearWord[];
}

const MOST_LISTED = 100;

/** Includes joins that find some. */
export function explainWords(condition: Condition, context: SearchContext): readonly ExplainedWord[] {
  if (condition.on === 'data') {
    return condition.members.flatMap(({ key, input }) => wordsOfField(input, fieldOf(key), context));
  }
  if (condition.on !== 'anyField' || condition.condition.type !== 'fuzzy') return [];
  return explained(condition.condition.term, (run) => context.dictionary.inEachField(run).words);
}

function wordsOfField(input: DataInput, field: DataPath, context: SearchContext): readonly ExplainedWord[] {
  if (input.type === 'fuzzy') return explained(input.term, (run) => context.dictionary.at(field, run));
  return input.type === 'map' ? wordsInside(input, field, field, context) : [];
}

function wordsInside(
  input: DataInput,
  field: DataPath,
  path: DataPath,
  context: SearchContext,
): readonly ExplainedWord[] {
  if (input.type === 'fuzzy') {
    return explained(input.term, (run) => nearRunInside(run, { kind: 'inside', field, path }, context));
  }
  return input.type === 'map'
    ? input.members.flatMap((member) => wordsInside(member.input, field, memberOf(path, member.key), context))
    : [];
}

function explained(term: string, nearOf: (run: string) => readonly NearWord[]): readonly ExplainedWord[] {
  const cuts = cutsOf(term);
  return runsIn(cuts)
    .map((word) => ({
      word,
      near: nearOf(word)
        .toSorted((one, other) => one.edits - other.edits)
        .slice(0, MOST_LISTED),
    }))
    .filter(({ word, near }) => near.length > 0 || cuts.words.includes(word));
}
