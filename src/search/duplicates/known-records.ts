import { Inject, Injectable } from '@nestjs/common';

import type { RowFilter } from '../../access/caller.js';
import { SearchDatabase } from '../../database/replicas/search-database.js';
import type { Uuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';
import { compileRecheck } from '../predicate/compile-filter.js';
import { predicateOfRowFilter, scopesThatHide } from '../predicate/row-filter.js';

/** Which records a caller may know of, where an answer about another one names them (E-10). */
@Injectable()
export class KnownRecords {
  constructor(@Inject(SearchDatabase) private readonly database: Pick<SearchDatabase, 'query'>) {}

  /** Whether nothing that is named has to be looked up. */
  areAll(rowFilter: RowFilter): boolean {
    return scopesThatHide(rowFilter) === undefined;
  }

  /** Those of the records that are there and that the scopes admit. */
  async among(ids: readonly Uuid[], rowFilter: RowFilter): Promise<ReadonlySet<string>> {
    const admitting = scopesThatHide(rowFilter);
    if (ids.length === 0 || admitting === undefined) return new Set(ids);
    const rows = await this.database.query<{ readonly id: string }>(sql`
      select s.id from event_search s
       where s.id = any (${ids}::uuid[]) and ${compileRecheck(predicateOfRowFilter(admitting))}`);
    return new Set(rows.map(({ id }) => id));
  }
}
