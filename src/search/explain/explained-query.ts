import type { Cardinalities } from '../../derived/statistics/cardinalities.js';
import type { Clause, Condition } from '../../domain/search-request.js';
import { estimate } from '../plan/estimate.js';
import type { Predicate } from '../predicate/predicate.js';
import { leavesOf } from '../predicate/predicate.js';
import { predicateOfClause, predicateOfCondition } from '../predicate/query.js';
import type { SearchContext } from '../predicate/search-context.js';
import type { ExplainedWord } from './explained-words.js';
import { explainWords } from './explained-words.js';

/** A parsed clause, with the expected number of records for each of its parts. */
export type ExplainedClause =
  | { readonly kind: 'and' | 'or'; readonly estimate: number; readonly clauses: readonly ExplainedClause[] }
  | { readonly kind: 'expression'; readonly estimate: number; readonly conditions: readonly ExplainedCondition[] };

/** A condition, and how its matches are found. */
export interface ExplainedCondition {
  readonly condition: Condition;
  readonly estimate: number;
  /** Whether an index finds the matches; otherwise the condition is checked on the rows that other conditions leave. */
  readonly findable: boolean;
  /** Whether each record's document must be read. */
  readonly readsDocuments: boolean;
  /** For a fuzzy condition: its words, and the words near them. */
  readonly words?: readonly ExplainedWord[];
}

/** The tree of clauses with the estimate for each. */
export function explainClause(clause: Clause, context: SearchContext, cardinalities: Cardinalities): ExplainedClause {
  const size = rounded(predicateOfClause(clause, context), cardinalities);
  return clause.kind === 'expression'
    ? {
        kind: 'expression',
        estimate: size,
        conditions: clause.conditions.map((condition) => explainCondition(condition, context, cardinalities)),
      }
    : {
        kind: clause.kind,
        estimate: size,
        clauses: clause.clauses.map((inner) => explainClause(inner, context, cardinalities)),
      };
}

function explainCondition(
  condition: Condition,
  context: SearchContext,
  cardinalities: Cardinalities,
): ExplainedCondition {
  const predicate = predicateOfCondition(condition, context);
  const words = explainWords(condition, context);
  return {
    condition,
    estimate: rounded(predicate, cardinalities),
    findable: predicate.isFindable,
    readsDocuments: readsDocuments(predicate),
    ...(words.length > 0 && { words }),
  };
}

const readsDocuments = (predicate: Predicate): boolean =>
  leavesOf(predicate).some((leaf) => leaf.kind === 'data' && !leaf.decides);

const rounded = (predicate: Predicate, cardinalities: Cardinalities): number =>
  Math.round(estimate(predicate, cardinalities));
