import { Inject, Injectable } from '@nestjs/common';

import { SearchDatabase } from '../database/replicas/search-database.js';
import { derivedSnapshot } from '../derived/derived-snapshot.js';
import { DocumentFrequencies } from '../derived/statistics/document-frequencies.js';
import { runSearch } from './answer/run-search.js';
import type { SearchResult } from './answer/search-result.js';
import { resultOf, withOneMore } from './answer/search-result.js';
import { planOf } from './plan/plan.js';
import type { CompiledSearch } from './predicate/compile-search.js';

/** What reads for searches: the primary, or a replica that has caught up. */
export type SearchReader = Pick<SearchDatabase, 'query' | 'snapshot'>;

@Injectable()
export class SearchRepository {
  constructor(
    @Inject(SearchDatabase) private readonly reader: SearchReader,
    @Inject(DocumentFrequencies) private readonly frequencies: Pick<DocumentFrequencies, 'sizes'>,
  ) {}

  /**
   * Runs a search; page and total come from one snapshot, so that they agree (S-5). A `signal` that aborts cancels it; it
   * then fails with the signal's reason.
   */
  async run(search: CompiledSearch, signal?: AbortSignal): Promise<SearchResult> {
    const { sizes } = this.frequencies;
    const plan = planOf(search, sizes);
    const wider = withOneMore(search);
    const found =
      plan.kind === 'broad'
        ? await derivedSnapshot(this.reader, (snapshot) => runSearch(snapshot, wider, plan, sizes), signal)
        : await runSearch({ query: (statement) => this.reader.query(statement, signal) }, wider, plan, sizes);
    return resultOf(found, search.page.limit);
  }
}
