import type { RowFilter } from '../../src/kernel/domain/scopes/caller.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import { NO_WORDS } from '../../src/events/index/terms/near-words.js';
import { readVocabulary } from '../../src/events/index/terms/read-vocabulary.js';
import { NO_SHAPES } from '../../src/events/index/terms/vocabulary.js';
import { UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import { readTerms } from '../../src/events/index/terms/terms.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import type { SearchResult } from '../../src/events/search/answer/search-answer.js';
import { askedVocabulary } from '../../src/events/search/predicate/asked-vocabulary.js';
import type { Query } from '../../src/kernel/domain/search-request.js';
import { planOf } from '../../src/events/search/plan/plan.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { type SearchContext, TermRoom } from '../../src/events/search/predicate/search-context.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
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

/** The words and kinds of values that the query asks for. */
export async function knownFor(
  reader: Queryable,
  query: Query,
): Promise<Pick<SearchContext, 'dictionary' | 'shapes' | 'room'>> {
  const asked = askedVocabulary(query);
  const read = asked === undefined ? { dictionary: NO_WORDS, shapes: NO_SHAPES } : await readVocabulary(reader, asked);
  return { ...read, room: new TermRoom() };
}

/** The same, with the records as they are answered. */
export async function searchAnswer(database: Database, body: object, searcher: Searcher = {}): Promise<SearchResult> {
  const request = parseSearchRequest(JSON.parse(JSON.stringify(body)), { maxLimit: 10_000 });
  const { reach = 'everything', ...context } = searcher;
  const ready: SearchContext = {
    now: new Date('2026-03-01T12:00:00.500Z'),
    timezone: 'UTC',
    below,
    terms: await readTerms(database),
    ...(await knownFor(database, request.query)),
    ...context,
  };
  return new SearchRepository(database).run(planOf(compileSearch(request, reach, ready), UNKNOWN_CARDINALITIES));
}
