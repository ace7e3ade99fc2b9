import type { RowFilter } from '../../src/access/caller.js';
import type { Database } from '../../src/database/pools/database.js';
import { DictionaryFollower } from '../../src/derived/near-words/dictionary-follower.js';
import { UNKNOWN_CARDINALITIES } from '../../src/derived/statistics/cardinalities.js';
import type { EventRecord } from '../../src/domain/record/event-record.js';
import type { SearchResult } from '../../src/search/answer/search-result.js';
import { planOf } from '../../src/search/plan/plan.js';
import { compileSearch } from '../../src/search/predicate/compile-search.js';
import { prepared } from '../../src/search/predicate/prepared.js';
import type { SearchContext } from '../../src/search/predicate/search-context.js';
import { parseSearchRequest } from '../../src/search/request/parse-search-request.js';
import { SearchRepository } from '../../src/search/search.repository.js';
import { below } from './hierarchy.js';

export interface Found {
  readonly total: number;
  /** The records of the page, in its order, by id. */
  readonly ids: readonly string[];
}

interface Searcher extends Partial<SearchContext> {
  readonly reach?: RowFilter;
}

/** Searches as a body says it, for a caller who may see everything unless `searcher` says otherwise. */
export async function searchRecords(database: Database, body: object, searcher: Searcher = {}): Promise<Found> {
  const { total, bodies } = await searchAnswer(database, body, searcher);
  return { total, ids: bodies.map((record) => (JSON.parse(record) as EventRecord).id) };
}

/** The same, with the records as they are answered. */
export async function searchAnswer(database: Database, body: object, searcher: Searcher = {}): Promise<SearchResult> {
  const request = parseSearchRequest(JSON.parse(JSON.stringify(body)), { maxLimit: 10_000 });
  const { reach = 'everything', ...context } = searcher;
  const ready = await prepared(request.query, {
    now: new Date('2026-03-01T12:00:00.500Z'),
    timezone: 'UTC',
    below,
    ...(await new DictionaryFollower(database).caughtUp()),
    ...context,
  });
  return new SearchRepository(database).run(planOf(compileSearch(request, reach, ready), UNKNOWN_CARDINALITIES));
}
