import type { Database } from '../../src/database/pools/database.js';
import type { Queryable } from '../../src/database/queryable.js';
import { buildBitmap } from '../../src/derived/bitmaps/build-bitmaps.js';
import { mayWriteBitmaps } from '../../src/derived/bitmaps/write-bitmaps.js';
import { DictionaryFollower } from '../../src/derived/near-words/dictionary-follower.js';
import { NO_WORDS } from '../../src/derived/near-words/fuzzy-dictionary.js';
import type { Cardinalities } from '../../src/derived/statistics/cardinalities.js';
import { UNKNOWN_CARDINALITIES } from '../../src/derived/statistics/cardinalities.js';
import type { SearchRequest } from '../../src/domain/search-request.js';
import { countedByKnownBitmaps, countedPage } from '../../src/search/answer/counted-page.js';
import type { Found } from '../../src/search/answer/found.js';
import type { WalkBounds } from '../../src/search/statement/walk.js';
import { isAnswered } from '../../src/search/answer/run-search.js';
import type { SearchPlan } from '../../src/search/plan/plan.js';
import { planOf } from '../../src/search/plan/plan.js';
import type { CompiledSearch } from '../../src/search/predicate/compile-search.js';
import { compileSearch } from '../../src/search/predicate/compile-search.js';
import { parseSearchRequest } from '../../src/search/request/parse-search-request.js';
import { SearchRepository } from '../../src/search/search.repository.js';
import { sql } from '../../src/sql/sql.js';
import { below } from './hierarchy.js';
import { NOW } from './vocabulary.js';

export type Terms = ReadonlySet<bigint>;
type OfTerm = Cardinalities['ofTerm'];

/** As if there were some ten records: of a frequent term, and of one that has no bitmap. */
export const [FREQUENT, RARE] = [4, 0.0001];
const RECORDS = 10;

const everyTermIsFrequent: OfTerm = () => FREQUENT;

/** A page as it is compared. */
export interface ShownPage {
  readonly total: number;
  readonly bodies: readonly string[];
}

/** Searches of a database that bitmaps count, and the same by going through all that match. */
export class CountedSearches {
  constructor(private readonly database: Database) {}

  async termsIn(table: 'records' | 'bitmaps'): Promise<Terms> {
    const rows = await this.database.query<{ term: string }>(
      table === 'records'
        ? sql`select distinct unnest(terms)::text as term from event_search order by 1`
        : sql`select term::text from facet order by 1`,
    );
    return new Set(rows.map(({ term }) => BigInt(term)));
  }

  buildBitmaps(terms: readonly bigint[]): Promise<void> {
    return this.database.transaction(async (transaction) => {
      if (!(await mayWriteBitmaps(transaction))) throw new Error('another process writes bitmaps');
      for (const term of [0n, ...terms]) await buildBitmap(transaction, term);
    });
  }

  /** Of a body, or of a request that was parsed. */
  async compiled(asked: SearchRequest | { readonly body: object }): Promise<CompiledSearch> {
    const { shapes } = await new DictionaryFollower(this.database).caughtUp();
    const context = { now: NOW, timezone: 'UTC', below, dictionary: NO_WORDS, shapes };
    const request = 'body' in asked ? parseSearchRequest(asked.body, { maxLimit: 100 }) : asked;
    return compileSearch(request, 'everything', context);
  }

  /** Planned as if every search had many matches. */
  plannedWith(search: CompiledSearch, tracked: Terms, ofTerm = everyTermIsFrequent, records = RECORDS): SearchPlan {
    return {
      ...planOf(search, { ...UNKNOWN_CARDINALITIES, records, ofTerm, tracked }),
      kind: 'two-phase',
    };
  }

  /** By one statement and bitmaps; undefined if that does not answer it. */
  async counted(plan: SearchPlan, reader: Queryable = this.database, walk?: WalkBounds): Promise<Found | undefined> {
    const known = countedByKnownBitmaps(plan);
    const found = known && (await countedPage(reader, plan, known, walk));
    return found !== undefined && isAnswered(found) ? found : undefined;
  }

  /** By the statement that goes through all matches. */
  async allOf(search: CompiledSearch): Promise<ShownPage> {
    const { total, bodies } = await new SearchRepository(this.database).run(planOf(search, UNKNOWN_CARDINALITIES));
    return { total, bodies };
  }
}

export const shown = ({ total, rows }: Found): ShownPage => ({ total, bodies: rows.map(({ body }) => body) });
