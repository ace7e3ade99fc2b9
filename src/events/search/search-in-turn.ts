import type { Admitted } from './admission/search-admission.js';
import { atLeastHeavy, weightOf, weightOfWidth } from './admission/search-weight.js';
import { findTheSame } from './answer/find-the-same.js';
import { KnownOutdated } from './answer/known-outdated.js';
import type { SearchResult } from './answer/search-result.js';
import { resultOf } from './answer/search-result.js';
import type { SearchPlan } from './plan/plan.js';
import type { KindsOfValues } from './search-contexts.js';
import type { SearchRepository } from './search.repository.js';

/** Plans a search again each time that it is called. */
export type PlanNow = (signal: AbortSignal, kinds: KindsOfValues) => Promise<SearchPlan>;

/** How often a search runs without a snapshot of its own: more than once only beside writes that matter to it. */
const MOST_TRIES = 2;

/**
 * Runs a search in its turn; `width` is that of its query. Where words or kinds of values were written after they were
 * read for its plan, it is planned again, and runs again if they matter to it (S-14). Whoever writes what it looks for
 * all the time would keep it from its answer so: after two tries it is planned once there is its snapshot, which has
 * nothing that is written later. That keeps a connection while the words are read, and so takes a heavy search's turn.
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
    inTurn(atLeastHeavy(width), () => repository.runInSnapshot(() => plan(signal, 'read once'), signal))
  );
}
