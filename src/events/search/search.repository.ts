import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { SortValues } from '../../domain/search-request.js';
import type { CompiledSearch } from './compile/compile-search.js';
import { compilePageAndTotal } from './compile/page.js';
import { compileIndexed } from './compile/render.js';
import { DocumentFrequencies } from './plan/document-frequencies.js';

/** One page of a search, and how many records match in all. */
export interface SearchResult {
  readonly total: number;
  /** The records in order, each as the JSON text that was made when it was written (S-13). */
  readonly bodies: readonly string[];
  /** What the last record of the page is ordered by: where the next page begins (S-15). */
  readonly last: SortValues | undefined;
}

interface Row {
  readonly total: string;
  readonly body: string | null;
  readonly sort_values: SortValues;
}

@Injectable()
export class SearchRepository {
  constructor(
    private readonly database: Database,
    private readonly frequencies: Pick<DocumentFrequencies, 'sizes'>,
  ) {}

  /** One statement sees one snapshot, so that page and total agree (S-5). */
  async run({ matches, page }: CompiledSearch): Promise<SearchResult> {
    const rows = await this.database.query<Row>(
      compilePageAndTotal(compileIndexed(matches, this.frequencies.sizes), page),
    );
    const bodies = rows.flatMap(({ body }) => (body === null ? [] : [body]));
    return {
      total: Number(rows[0]?.total),
      bodies,
      last: bodies.length === 0 ? undefined : rows.at(-1)?.sort_values,
    };
  }
}
