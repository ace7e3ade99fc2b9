import { Inject, Injectable } from '@nestjs/common';

import type { RecordOptions } from '../../../kernel/domain/scopes/caller.js';
import { SearchDatabase } from '../../../platform/database/replicas/search-database.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { sql } from '../../../kernel/sql/sql.js';
import { compileRecheck } from '../predicate/compile-filter.js';
import { predicateOfRowFilter } from '../predicate/row-filter.js';

/** Filters records that an answer names (E-10). */
@Injectable()
export class KnownRecords {
  constructor(@Inject(SearchDatabase) private readonly database: Pick<SearchDatabase, 'query'>) {}

  async among(ids: readonly Uuid[], admitting: readonly RecordOptions[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.query<{ readonly id: string }>(sql`
      select s.id from event_search s
       where s.id = any (${ids}::uuid[]) and ${compileRecheck(predicateOfRowFilter(admitting))}`);
    return new Set(rows.map(({ id }) => id));
  }
}
