import { TERMS } from '../../../test/support/terms.js';
import { NO_WORDS } from '../index/near-words/fuzzy-dictionary.js';
import { UNKNOWN_CARDINALITIES } from '../index/statistics/cardinalities.js';
import { NO_SHAPES } from '../index/terms/shapes.js';
import { turnsDuring } from '../../../test/support/turns-during.js';
import { KnownOutdated } from './answer/known-outdated.js';
import { planOf } from './plan/plan.js';
import { compileSearch } from './predicate/compile-search.js';
import { parseSearchRequest } from './request/parse-search-request.js';
import { type PlanNow, searchInTurn } from './search-in-turn.js';
import type { SearchRepository } from './search.repository.js';

describe('a search beside writes of words', () => {
  const request = parseSearchRequest({ query: { clauses: [{ eventType: 'birth' }] } }, { maxLimit: 10 });
  const context = {
    now: new Date(0),
    timezone: 'UTC',
    below: () => [],
    dictionary: NO_WORDS,
    shapes: NO_SHAPES,
    terms: TERMS,
  };
  const plan: PlanNow = () =>
    Promise.resolve(planOf(compileSearch(request, 'everything', context), UNKNOWN_CARDINALITIES));

  /** Finds nothing, and that there are other words now. */
  const outdated: Pick<SearchRepository, 'run'> = {
    run: () => Promise.reject(new KnownOutdated({ total: 0, rows: [] })),
  };

  const searched = (signal: AbortSignal): Promise<unknown> =>
    searchInTurn(outdated as SearchRepository, plan, 1, { signal, inTurn: (_, work) => work() });

  it('lets others have their turn before and between the statements that it compares (Q-1)', async () => {
    expect(await turnsDuring(() => searched(new AbortController().signal))).toBeGreaterThanOrEqual(3);
  });

  it('compares nothing once nobody waits for it', async () => {
    await expect(searched(AbortSignal.abort(new Error('hung up')))).rejects.toThrow('hung up');
  });
});
