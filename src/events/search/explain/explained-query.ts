import type { Clause, Condition, DataInput } from '../../../kernel/domain/search-request.js';
import type { Steps } from '../../../platform/queue/time-slice.js';
import type { NearWord } from '../../index/near-words/near-words.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { type DataPath, fieldOf, memberOf } from '../../index/values/data-path.js';
import { cutsOf, runsIn } from '../../index/values/joined-words.js';
import { estimate } from '../plan/estimate.js';
import { nearRunInside } from '../predicate/fuzzy.js';
import { allOfParts, anyOfParts, leavesOf, type Predicate } from '../predicate/predicate.js';
import { predicateOfCondition } from '../predicate/query.js';
import type { SearchContext } from '../predicate/search-context.js';

interface ExplainedWord {
  readonly word: string;
  /** At most a hundred, nearest first. */
  readonly near: readonly NearWord[];
}

const MOST_LISTED = 100;

/** Includes joins that find some. */
function explainWords(condition: Condition, context: SearchContext): readonly ExplainedWord[] {
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

export type ExplainedClause =
  | { readonly kind: 'and' | 'or'; readonly estimate: number; readonly clauses: readonly ExplainedClause[] }
  | { readonly kind: 'expression'; readonly estimate: number; readonly conditions: readonly ExplainedCondition[] };

interface ExplainedCondition {
  readonly condition: Condition;
  readonly estimate: number;
  readonly findable: boolean;
  readonly readsDocuments: boolean;
  /** Only for a fuzzy condition. */
  readonly words?: readonly ExplainedWord[];
}

interface Explained<T> {
  readonly explained: T;
  readonly predicate: Predicate;
}

/** Each step explains one condition. */
export function* explainClause(
  clause: Clause,
  context: SearchContext,
  cardinalities: Cardinalities,
): Steps<Explained<ExplainedClause>> {
  if (clause.kind === 'expression') {
    const parts: Explained<ExplainedCondition>[] = [];
    for (const condition of clause.conditions) {
      parts.push(explainCondition(condition, context, cardinalities));
      yield;
    }
    const predicate = allOfParts(parts.map((part) => part.predicate));
    const conditions = parts.map(({ explained }) => explained);
    return { explained: { kind: 'expression', estimate: rounded(predicate, cardinalities), conditions }, predicate };
  }
  const parts: Explained<ExplainedClause>[] = [];
  for (const inner of clause.clauses) parts.push(yield* explainClause(inner, context, cardinalities));
  const predicates = parts.map((part) => part.predicate);
  const predicate = clause.kind === 'and' ? allOfParts(predicates) : anyOfParts(predicates);
  const clauses = parts.map(({ explained }) => explained);
  yield;
  return { explained: { kind: clause.kind, estimate: rounded(predicate, cardinalities), clauses }, predicate };
}

function explainCondition(
  condition: Condition,
  context: SearchContext,
  cardinalities: Cardinalities,
): Explained<ExplainedCondition> {
  const predicate = predicateOfCondition(condition, context);
  const words = explainWords(condition, context);
  const explained = {
    condition,
    estimate: rounded(predicate, cardinalities),
    findable: predicate.isFindable,
    readsDocuments: readsDocuments(predicate),
    ...(words.length > 0 && { words }),
  };
  return { explained, predicate };
}

const readsDocuments = (predicate: Predicate): boolean =>
  leavesOf(predicate).some((leaf) => leaf.kind === 'data' && !leaf.decides);

const rounded = (predicate: Predicate, cardinalities: Cardinalities): number =>
  Math.round(estimate(predicate, cardinalities));
