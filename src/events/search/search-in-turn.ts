import type { Admitted } from './admission/search-admission.js';
import { weightOf, weightOfWidth } from './admission/search-weight.js';
import { findTheSame } from './answer/find-the-same.js';
import { KnownOutdated } from './answer/known-outdated.js';
import type { SearchResult } from './answer/search-result.js';
import { resultOf } from './answer/search-result.js';
import type { SearchPlan } from './plan/plan.js';
import type { KindsOfValues } from './search-contexts.js';
import type { SearchRepository } from './search.repository.js';

export type PlanNow = (signal: AbortSignal, kinds: KindsOfValues) => Promise<SearchPlan>;

/** Runs without a snapshot: writes seldom matter to the search. */
const MOST_TRIES = 2;

/**
 * If words or kinds of values are outdated, the search is planned again, and runs again if they matter (S-14). After
 * two tries it is planned after its snapshot, in a heavy search's turn, so that constant writes cannot delay it.
 */
export async function searchInTurn(
  repository: SearchRepository,
  plan: PlanNow,
  width: number,
  { signal, inTurn }: Admitted,
): Promise<SearchResult> {
  const again = (): Promise<SearchPlan> => plan(signal, 'read now');
  const tried = async (planned: SearchPlan, tries: number): Promise<SearchResult | undefined> => {
    try {
      return await repository.run(planned, signal);
    } catch (error) {
      if (!(error instanceof KnownOutdated)) throw error;
      const other = await again();
      if (await findTheSame([planned], [other], signal)) return resultOf(error.found, planned.search.page.limit);
      return tries === 1 ? undefined : tried(other, tries - 1);
    }
  };
  const byWidth = weightOfWidth(width);
  const early = byWidth === 'light' ? await plan(signal, 'as read') : undefined;
  const weight = early === undefined ? byWidth : weightOf(width, early);
  return (
    (await inTurn(weight, async () => tried(early ?? (await again()), MOST_TRIES))) ??
    inTurn('heavy', () => repository.runInSnapshot(() => plan(signal, 'read once'), signal))
  );
}
