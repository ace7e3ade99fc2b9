import { Inject, Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { SearchDatabase } from '../../platform/database/pools/search-database.js';
import { derivedSnapshot } from '../index/derived-snapshot.js';
import { type Found, runSearch } from './answer/run-search.js';
import { resultOf, type SearchResult, withOneMore } from './answer/search-answer.js';
import type { SearchPlan } from './plan/plan.js';
import type { InSnapshot } from './search-contexts.js';

/** The primary, or a replica that has caught up. */
export type SearchReader = Pick<SearchDatabase, 'query' | 'snapshot'>;

@Injectable()
export class SearchRepository {
  constructor(@Inject(SearchDatabase) private readonly reader: SearchReader) {}

  /** Page and total come from one snapshot (S-5). Fails with the signal's reason. */
  async run(plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult> {
    return resultOf(await this.find(plan, signal), plan.search.page.limit);
  }

  /** Plans in the snapshot, too. Undefined if the plan is not the one that `suits`. */
  runInSnapshot(plan: InSnapshot<SearchPlan>, signal: AbortSignal): Promise<SearchResult>;
  runInSnapshot(
    plan: InSnapshot<SearchPlan>,
    signal: AbortSignal,
    suits: (plan: SearchPlan) => boolean,
  ): Promise<SearchResult | undefined>;
  runInSnapshot(
    plan: InSnapshot<SearchPlan>,
    signal: AbortSignal,
    suits: (plan: SearchPlan) => boolean = () => true,
  ): Promise<SearchResult | undefined> {
    const found = async (snapshot: Queryable): Promise<SearchResult | undefined> => {
      const planned = await plan(snapshot);
      if (!suits(planned)) return undefined;
      return resultOf(await runSearch(snapshot, withOneMore(planned)), planned.search.page.limit);
    };
    return derivedSnapshot(this.reader, found, signal);
  }

  private async find(plan: SearchPlan, signal: AbortSignal | undefined): Promise<Found> {
    const wider = withOneMore(plan);
    return wider.kind === 'single-statement'
      ? runSearch({ query: (statement) => this.reader.query(statement, signal) }, wider)
      : derivedSnapshot(this.reader, (snapshot) => runSearch(snapshot, wider), signal);
  }
}
