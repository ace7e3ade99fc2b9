import { Inject, Injectable } from '@nestjs/common';

import { SearchDatabase } from '../database/replicas/search-database.js';
import { MIB } from '../domain/bytes.js';
import { derivedSnapshot } from '../derived/derived-snapshot.js';
import { isAnswered, runAtOnce, runInPhases } from './answer/run-search.js';
import type { SearchResult } from './answer/search-result.js';
import { resultOf, withOneMore, withPage } from './answer/search-result.js';
import type { SearchPlan } from './plan/plan.js';

/** Where searches read: the primary, or a replica that has caught up. */
export type SearchReader = Pick<SearchDatabase, 'query' | 'snapshot'>;

/** Of the stored texts of a page: about half of each is the answer. */
const MOST_HELD_BYTES = 16 * MIB;

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

  /**
   * The same of a page that is held whole: undefined where it has a record so large that the page may be, which is known
   * before its text is read.
   */
  async runHeld(plan: SearchPlan, signal: AbortSignal): Promise<SearchResult | undefined> {
    const longest = Math.floor(MOST_HELD_BYTES / (plan.search.page.limit + 1));
    const result = await this.run(withPage(plan, { longest }), signal);
    return result.bodies.includes('') ? undefined : result;
  }
}
