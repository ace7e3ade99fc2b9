import { Inject, Injectable } from '@nestjs/common';

import { SearchDatabase } from '../../database/replicas/search-database.js';
import type { SortValues } from '../../domain/search-request.js';
import type { CompiledSearch } from './compile/compile-search.js';
import { broadSearch } from './plan/broad-search.js';
import { DocumentFrequencies } from './plan/document-frequencies.js';
import type { FoundRow } from './plan/found-row.js';
import { compileAtOnce, planOf } from './plan/plan.js';

/** One page of a search, and how many records match in all. */
export interface SearchResult {
  readonly total: number;
  /** The records in order, each as the JSON text that was made when it was written (S-13). */
  readonly bodies: readonly string[];
  /** What the last record of the page is ordered by: where the next page begins (S-15). */
  readonly last: SortValues | undefined;
}

interface PageRow extends Nullable<FoundRow> {
  readonly total: string;
}

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

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
    if (planOf(search, sizes).kind === 'broad') {
      const { total, rows } = await this.reader.snapshot((snapshot) => broadSearch(snapshot, search, sizes), signal);
      return resultOf(total, rows);
    }
    const rows = await this.reader.query<PageRow>(compileAtOnce(search, sizes), signal);
    return resultOf(Number(rows[0]?.total), rows.filter(isFound));
  }
}

/** An empty page is one row without a body. */
const isFound = (row: PageRow): row is PageRow & FoundRow => row.body !== null;

const resultOf = (total: number, rows: readonly FoundRow[]): SearchResult => ({
  total,
  bodies: rows.map(({ body }) => body),
  last: rows.at(-1)?.sort_values,
});
