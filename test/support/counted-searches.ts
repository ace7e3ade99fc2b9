import { TERMS } from './terms.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import { buildBitmap, mayWriteBitmaps } from '../../src/events/index/statistics/write-bitmaps.js';
import { UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import { type CompiledSearch, compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import { countedByBitmaps } from '../../src/events/search/statement/bitmap-total.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { below } from './hierarchy.js';
import { knownFor } from './search-records.js';
import { NOW } from './vocabulary.js';

/** As if there were ten records. */
const [FREQUENT, RARE] = [4, 0.0001];

/** Searches that bitmaps count. */
export class CountedSearches {
  constructor(private readonly database: Database) {}

  buildBitmaps(terms: readonly bigint[]): Promise<void> {
    return this.database.transaction(async (transaction) => {
      if (!(await mayWriteBitmaps(transaction))) throw new Error('another process writes bitmaps');
      for (const term of [0n, ...terms]) await buildBitmap(transaction, { term });
    });
  }

  async compiled(body: object): Promise<CompiledSearch> {
    const request = parseSearchRequest(body, { maxLimit: 100 });
    const known = await knownFor(this.database, request.query);
    const context = { now: NOW, timezone: 'UTC', below, terms: TERMS, ...known };
    return compileSearch(request, 'everything', context);
  }

  /** The total by the bitmaps that there are; undefined if they cannot count it. */
  async counted(
    { matches }: CompiledSearch,
    frequent: ReadonlySet<bigint>,
    reader: Queryable = this.database,
  ): Promise<number | undefined> {
    const rows = await this.database.query<{ term: string }>(sql`select term from bitmap`);
    const statement = countedByBitmaps(matches, new Set(rows.map(({ term }) => BigInt(term))), {
      ...UNKNOWN_CARDINALITIES,
      records: 10,
      ofTerm: (term) => (frequent.has(term) ? FREQUENT : RARE),
    });
    const [row] = statement === undefined ? [] : await reader.query<{ total: string }>(statement);
    return row && Number(row.total);
  }
}
