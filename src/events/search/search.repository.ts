import { Inject, Injectable } from '@nestjs/common';
import type { Query } from '../../kernel/domain/search-request.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { SearchDatabase } from '../../platform/database/pools/search-database.js';
import { derivedSnapshot } from '../index/derived-snapshot.js';
import { runSearch } from './answer/run-search.js';
import { resultOf, type SearchResult, withOneMore } from './answer/search-answer.js';
import type { SearchPlan } from './plan/plan.js';
import { askedVocabulary } from './predicate/asked-vocabulary.js';
import { type Admitted, weightOf, weightOfWidth } from './search-admission.js';
import type { InSnapshot } from './search-planner.js';

/** The primary, or a replica that has caught up. */
export type SearchReader = Pick<SearchDatabase, 'query' | 'snapshot'>;

interface Searched {
  readonly query: Query;
  readonly plan: InSnapshot<SearchPlan>;
  readonly width: number;
}

@Injectable()
export class SearchRepository {
  constructor(@Inject(SearchDatabase) private readonly reader: SearchReader) {}

  /** Page and total come from one snapshot (S-5). Fails with the signal's reason. */
  run(plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult> {
    return plan.kind === 'single-statement'
      ? runPlan({ query: (statement) => this.reader.query(statement, signal) }, plan)
      : this.inSnapshot((snapshot) => runPlan(snapshot, plan), signal);
  }

  /**
   * A search that asks for words is planned in its own snapshot, in the turn of a light one; if the plan is heavy, it
   * begins again in the turn of a heavy one.
   */
  async runInTurn({ query, plan, width }: Searched, { signal, inTurn }: Admitted): Promise<SearchResult> {
    const isLight = (planned: SearchPlan): boolean => weightOf(width, planned) === 'light';
    if (weightOfWidth(width) === 'light') {
      if (askedVocabulary(query) === undefined) {
        const planned = await plan(NOTHING_ASKED);
        return inTurn(weightOf(width, planned), () => this.run(planned, signal));
      }
      const found = await inTurn('light', () =>
        this.inSnapshot(async (snapshot) => {
          const planned = await plan(snapshot);
          return isLight(planned) ? runPlan(snapshot, planned) : undefined;
        }, signal),
      );
      if (found !== undefined) return found;
    }
    return inTurn('heavy', () => this.inSnapshot(async (snapshot) => runPlan(snapshot, await plan(snapshot)), signal));
  }

  private inSnapshot<T>(work: (snapshot: Queryable) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return derivedSnapshot(this.reader, work, signal);
  }
}

const runPlan = async (reader: Queryable, plan: SearchPlan): Promise<SearchResult> =>
  resultOf(await runSearch(reader, withOneMore(plan)), plan.search.page.limit);

const NOTHING_ASKED: Queryable = {
  query: () => Promise.reject(new Error('a search without a condition on the declaration asks for no words')),
};
