import type { Query } from '../../kernel/domain/search-request.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { type Admitted, weightOf, weightOfWidth } from './search-admission.js';
import type { SearchResult } from './answer/search-answer.js';
import type { SearchPlan } from './plan/plan.js';
import { askedVocabulary } from './predicate/asked-vocabulary.js';
import type { InSnapshot } from './search-contexts.js';
import type { SearchRepository } from './search.repository.js';

interface Searched {
  readonly query: Query;
  readonly plan: InSnapshot<SearchPlan>;
  readonly width: number;
}

/**
 * A search that asks for words is planned in its own snapshot, in the turn of a light one; if the plan is heavy, it
 * begins again in the turn of a heavy one.
 */
export async function searchInTurn(
  repository: SearchRepository,
  { query, plan, width }: Searched,
  { signal, inTurn }: Admitted,
): Promise<SearchResult> {
  const isLight = (planned: SearchPlan): boolean => weightOf(width, planned) === 'light';
  if (weightOfWidth(width) === 'light') {
    if (askedVocabulary(query) === undefined) {
      const planned = await plan(NOTHING_ASKED);
      return inTurn(weightOf(width, planned), () => repository.run(planned, signal));
    }
    const found = await inTurn('light', () => repository.runInSnapshot(plan, signal, isLight));
    if (found !== undefined) return found;
  }
  return inTurn('heavy', () => repository.runInSnapshot(plan, signal));
}

const NOTHING_ASKED: Queryable = {
  query: () => Promise.reject(new Error('a search without a condition on the declaration asks for no words')),
};
