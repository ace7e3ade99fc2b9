import type { Steps } from '../../../platform/queue/time-slice.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { Clause, Condition } from '../../../kernel/domain/search-request.js';
import { estimate } from '../plan/estimate.js';
import { allOfParts, anyOfParts, leavesOf, type Predicate } from '../predicate/predicate.js';
import { predicateOfCondition } from '../predicate/query.js';
import type { SearchContext } from '../predicate/search-context.js';
import { type ExplainedWord, explainWords } from './explained-words.js';

export type ExplainedClause =
  | { readonly kind: 'and' | 'or'; readonly estimate: number; readonly clauses: readonly ExplainedClause[] }
  | { readonly kind: 'expression'; readonly estimate: number; readonly conditions: readonly ExplainedCondition[] };

export interface ExplainedCondition {
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
