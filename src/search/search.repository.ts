import { Inject, Injectable } from '@nestjs/common';

import { SearchDatabase } from '../database/replicas/search-database.js';
import { derivedSnapshot } from '../derived/derived-snapshot.js';
import { isAnswered, runAtOnce, runInPhases } from './answer/run-search.js';
import type { SearchResult } from './answer/search-result.js';
import { resultOf, withOneMore } from './answer/search-result.js';
import type { SearchPlan } from './plan/plan.js';

/** Where searches read: the primary, or a replica that has caught up. */
export type SearchReader = Pick<SearchDatabase, 'query' | 'snapshot'>;

/** Reads the answer of a planned search from PostgreSQL. */
@Injectable()
export class SearchRepository {
  constructor(@Inject(SearchDatabase) private readonly reader: SearchReader) {}

  /**
   * Runs a search as planned; page and total come from one snapshot, so that they agree (S-5). A `signal` that aborts
   * cancels it; it then fails with the signal's reason.
   */
  async run(plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult> {
    const wider = withOneMore(plan);
    const atOnce = await runAtOnce({ query: (statement) => this.reader.query(statement, signal) }, wider);
    const found = isAnswered(atOnce)
      ? atOnce
      : await derivedSnapshot(this.reader, (snapshot) => runInPhases(snapshot, wider, atOnce), signal);
    return resultOf(found, plan.search.page.limit);
  }
}
