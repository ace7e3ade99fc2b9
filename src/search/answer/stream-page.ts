import type { Database } from '../../database/pools/database.js';
import { derivedSnapshot } from '../../derived/derived-snapshot.js';
import type { Sizes } from '../../derived/statistics/sizes.js';
import { planOf } from '../plan/plan.js';
import type { CompiledSearch } from '../predicate/compile-search.js';
import { bodiesOf } from './bodies-of.js';
import { runSearch } from './run-search.js';
import type { SearchResult } from './search-result.js';
import { resultOf, withOneMore } from './search-result.js';

interface Begun extends Omit<SearchResult, 'bodies'> {
  readonly ids: readonly string[];
}

type Take = (page: Begun, bodies: AsyncIterable<readonly string[]>) => Promise<void>;

/**
 * Runs a search whose page is too large to be held: `take` gets what was found, and the bodies some at a time, all of one
 * snapshot of the primary, which lasts for as long as `take` does. A `signal` that aborts ends it.
 */
export function streamPage(
  database: Database,
  search: CompiledSearch,
  sizes: Sizes,
  take: Take,
  signal: AbortSignal,
): Promise<void> {
  const larger = withOneMore({ ...search, page: { ...search.page, idsAlone: true } });
  return derivedSnapshot(
    database,
    async (snapshot) => {
      const found = await runSearch(snapshot, larger, planOf(search, sizes), sizes);
      const { bodies: ids, ...page } = resultOf(found, search.page.limit);
      await take({ ...page, ids }, bodiesOf(snapshot, ids));
    },
    signal,
  );
}
