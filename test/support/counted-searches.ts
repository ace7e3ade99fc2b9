import type { Database } from '../../src/platform/database/pools/database.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { buildBitmap } from '../../src/events/index/bitmaps/build-bitmaps.js';
import { mayWriteBitmaps } from '../../src/events/index/bitmaps/write-bitmaps.js';
import { DictionaryFollower } from '../../src/events/index/near-words/dictionary-follower.js';
import { NO_WORDS } from '../../src/events/index/near-words/fuzzy-dictionary.js';
import { type Cardinalities, UNKNOWN_CARDINALITIES } from '../../src/events/index/statistics/cardinalities.js';
import type { SearchRequest } from '../../src/kernel/domain/search-request.js';
import { countedByKnownBitmaps, countedPage, isAnswered } from '../../src/events/search/answer/run-search.js';
import type { Found } from '../../src/events/search/answer/found.js';
import type { WalkBounds } from '../../src/events/search/statement/walk.js';
import { planOf, type SearchPlan } from '../../src/events/search/plan/plan.js';
import { type CompiledSearch, compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import { SearchRepository } from '../../src/events/search/search.repository.js';
import { sql } from '../../src/kernel/sql/sql.js';
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
        : sql`select term::text from bitmap order by 1`,
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
