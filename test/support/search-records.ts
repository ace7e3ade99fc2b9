import type { Reach } from '../../src/access/caller.js';
import type { Database } from '../../src/database/database.js';
import type { EventRecord } from '../../src/domain/event-record.js';
import { compileSearch } from '../../src/events/search/compile/compile-search.js';
import type { SearchContext } from '../../src/events/search/compile/search-context.js';
import { prepared } from '../../src/events/search/cost/prepared.js';
import { DictionaryFollower } from '../../src/events/search/fuzzy/dictionary-follower.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import { UNKNOWN_SIZES } from '../../src/events/search/plan/unknown-sizes.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
import { below } from './hierarchy.js';

export interface Found {
  readonly total: number;
  /** The records of the page, in its order, by id. */
  readonly ids: readonly string[];
}

interface Searcher extends Partial<SearchContext> {
  readonly reach?: Reach;
}

/** Searches as a body says it, for a caller who may see everything unless `searcher` says otherwise. */
export async function searchRecords(database: Database, body: object, searcher: Searcher = {}): Promise<Found> {
  const request = parseSearchRequest(JSON.parse(JSON.stringify(body)), { maxLimit: 10_000 });
  const { reach = 'everything', ...context } = searcher;
  const ready = await prepared(request.query, {
    now: new Date('2026-03-01T12:00:00.500Z'),
    timezone: 'UTC',
    callerSubject: 'caller',
    below,
    ...(await new DictionaryFollower(database).caughtUp()),
    ...context,
  });
  const statement = compileSearch(request, reach, ready);
  const { total, bodies } = await new SearchRepository(database, { sizes: UNKNOWN_SIZES }).run(statement);
  return { total, ids: bodies.map((record) => (JSON.parse(record) as EventRecord).id) };
}
