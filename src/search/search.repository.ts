import { Inject, Injectable } from '@nestjs/common';

import { SearchDatabase } from '../database/replicas/search-database.js';
import { MIB } from '../domain/bytes.js';
import { derivedSnapshot } from '../derived/derived-snapshot.js';
import { isAnswered, runAtOnce, runInPhases } from './answer/run-search.js';
import { findsTheSame } from './answer/finds-the-same.js';
import { KnownOutdated } from './answer/known-outdated.js';
import type { Found } from './answer/found.js';
import type { SearchResult } from './answer/search-result.js';
import { resultOf, withOneMore, withPage } from './answer/search-result.js';
import type { SearchPlan } from './plan/plan.js';

/** Where searches read: the primary, or a replica that has caught up. */
export type SearchReader = Pick<SearchDatabase, 'query' | 'snapshot'>;

/** Plans the search of a plan with the words and kinds of values of now. */
type PlanAgain = () => Promise<SearchPlan>;

/** Of the stored texts of a page: about half of each is the answer. */
const MOST_HELD_BYTES = 16 * MIB;

/** Reads the answer of a planned search from PostgreSQL. */
@Injectable()
export class SearchRepository {
  constructor(@Inject(SearchDatabase) private readonly reader: SearchReader) {}

  /**
   * Runs a search as planned; page and total come from one snapshot, so that they agree (S-5). A `signal` that aborts
   * cancels it; it then fails with the signal's reason. Where words or kinds of values were written after they were read
   * for the plan, the search is planned again, and runs again if they matter to it.
   */
  async run(plan: SearchPlan, signal?: AbortSignal, again?: PlanAgain): Promise<SearchResult> {
    try {
      return resultOf(await this.find(plan, signal), plan.search.page.limit);
    } catch (error) {
      if (!(error instanceof KnownOutdated) || again === undefined) throw error;
      const planned = await again();
      return findsTheSame(plan, planned)
        ? resultOf(error.found, plan.search.page.limit)
        : this.run(planned, signal, again);
    }
  }

  private async find(plan: SearchPlan, signal?: AbortSignal): Promise<Found> {
    const wider = withOneMore(plan);
    const atOnce = await runAtOnce({ query: (statement) => this.reader.query(statement, signal) }, wider);
    return isAnswered(atOnce)
      ? atOnce
      : derivedSnapshot(this.reader, (snapshot) => runInPhases(snapshot, wider, atOnce), signal);
  }

  /**
   * The same of a page that is held whole: undefined where it has a record so large that the page may be, which is known
   * before its text is read.
   */
  async runHeld(plan: SearchPlan, signal: AbortSignal, again: PlanAgain): Promise<SearchResult | undefined> {
    const longest = Math.floor(MOST_HELD_BYTES / (plan.search.page.limit + 1));
    const held = (planned: SearchPlan): SearchPlan => withPage(planned, { longest });
    const result = await this.run(held(plan), signal, async () => held(await again()));
    return result.bodies.includes('') ? undefined : result;
  }
}
