import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { Sql } from '../../sql/sql.js';

/** One page of a search, and how many records match in all. */
export interface SearchResult {
  readonly total: number;
  /** The records in order, each as the JSON text that was made when it was written (S-13). */
  readonly bodies: readonly string[];
}

interface Row {
  readonly total: string;
  readonly body: string | null;
}

@Injectable()
export class SearchRepository {
  constructor(private readonly database: Database) {}

  /** Runs what `compileSearch` made. One statement sees one snapshot, so that page and total agree (S-5). */
  async run(statement: Sql): Promise<SearchResult> {
    const rows = await this.database.query<Row>(statement);
    return { total: Number(rows[0]?.total), bodies: rows.flatMap(({ body }) => (body === null ? [] : [body])) };
  }
}
