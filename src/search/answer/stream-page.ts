import type { Database } from '../../database/pools/database.js';
import { derivedSnapshot } from '../../derived/derived-snapshot.js';
import type { SearchPlan } from '../plan/plan.js';
import { bodiesOf } from './bodies-of.js';
import { runSearch } from './run-search.js';
import type { SearchResult } from './search-result.js';
import { resultOf, withOneMore, withPage } from './search-result.js';

interface Begun extends Omit<SearchResult, 'bodies'> {
  readonly ids: readonly string[];
}

type Take = (page: Begun, bodies: AsyncIterable<readonly string[]>) => Promise<void>;

/**
 * Runs a search whose page is too large to be held: `take` gets what was found, and the bodies some at a time, all of one
 * snapshot of the primary, which lasts for as long as `take` does. A `signal` that aborts ends it.
 */
export function streamPage(database: Database, plan: SearchPlan, take: Take, signal: AbortSignal): Promise<void> {
  const larger = withOneMore(withPage(plan, { idsAlone: true }));
  return derivedSnapshot(
    database,
    async (snapshot) => {
      const found = await runSearch(snapshot, larger);
      const { bodies: ids, ...page } = resultOf(found, plan.search.page.limit);
      await take({ ...page, ids }, bodiesOf(snapshot, ids));
    },
    signal,
  );
}
