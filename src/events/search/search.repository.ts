import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { SortValues } from '../../domain/search-request.js';
import type { CompiledSearch } from './compile/compile-search.js';
import { compilePageAndTotal } from './compile/page.js';
import { compileIndexed } from './compile/render.js';
import type { Sizes } from './compile/sizes.js';
import { estimate } from './compile/sizes.js';
import { broadSearch } from './plan/broad-search.js';
import { DocumentFrequencies } from './plan/document-frequencies.js';
import type { FoundRow } from './plan/found-row.js';

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

/** With more matches than this, page and total are found apart. */
const BROAD_FROM = 30_000;

@Injectable()
export class SearchRepository {
  constructor(
    private readonly database: Database,
    private readonly frequencies: Pick<DocumentFrequencies, 'sizes'>,
  ) {}

  /** Runs a search; page and total come from one snapshot, so that they agree (S-5). */
  async run(search: CompiledSearch): Promise<SearchResult> {
    const { sizes } = this.frequencies;
    return estimate(search.matches, sizes) > BROAD_FROM ? this.runBroad(search, sizes) : this.runAtOnce(search, sizes);
  }

  private async runAtOnce({ matches, page }: CompiledSearch, sizes: Sizes): Promise<SearchResult> {
    const rows = await this.database.query<PageRow>(compilePageAndTotal(compileIndexed(matches, sizes), page));
    return resultOf(Number(rows[0]?.total), rows.filter(isFound));
  }

  private runBroad(search: CompiledSearch, sizes: Sizes): Promise<SearchResult> {
    return this.database.snapshot(async (snapshot) => {
      const { total, rows } = await broadSearch(snapshot, search, sizes);
      return resultOf(total, rows);
    });
  }
}

/** An empty page is one row without a body. */
const isFound = (row: PageRow): row is PageRow & FoundRow => row.body !== null;

const resultOf = (total: number, rows: readonly FoundRow[]): SearchResult => ({
  total,
  bodies: rows.map(({ body }) => body),
  last: rows.at(-1)?.sort_values,
});
