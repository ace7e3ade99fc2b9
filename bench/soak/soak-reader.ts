import { isDeepStrictEqual } from 'node:util';

import type { Database } from '../../src/database/pools/database.js';
import type { Prng } from '../../src/demo/prng.js';
import { DictionaryFollower } from '../../src/derived/near-words/dictionary-follower.js';
import { DocumentFrequencies } from '../../src/derived/statistics/document-frequencies.js';
import type { Uuid } from '../../src/domain/uuid.js';
import { Hierarchy } from '../../src/locations/hierarchy.js';
import { planOf } from '../../src/search/plan/plan.js';
import { compileSearch } from '../../src/search/predicate/compile-search.js';
import { prepared } from '../../src/search/predicate/prepared.js';
import type { SearchContext } from '../../src/search/predicate/search-context.js';
import { parseSearchRequest } from '../../src/search/request/parse-search-request.js';
import type { SearchReader } from '../../src/search/search.repository.js';
import { SearchRepository } from '../../src/search/search.repository.js';
import { sql } from '../../src/sql/sql.js';
import type { Nation } from '../data/nation.js';
import { drawSearch, RECORDS } from './counted-search.js';

const MANY = 30_000;
const MOST_OFFSET = 2_000;
/** One in so many is counted in the answers: that takes ten times as long. */
const IN_ANSWERS = 10;
const REFRESHED_EVERY = 50;

/** Compares searches with plain counting, each in a snapshot of its own that both see. */
export class SoakReader {
  checks = 0;
  manyMatches = 0;
  readonly differences: string[] = [];
  private readonly frequencies: DocumentFrequencies;
  private readonly hierarchy: Hierarchy;
  private readonly dictionary: DictionaryFollower;

  constructor(
    private readonly database: Database,
    private readonly nation: Nation,
    private readonly prng: Prng,
  ) {
    this.frequencies = new DocumentFrequencies(database);
    this.dictionary = new DictionaryFollower(database);
    this.hierarchy = new Hierarchy([...nation.file.administrativeAreas, ...nation.file.locations]);
  }

  async check(): Promise<void> {
    if (this.checks % REFRESHED_EVERY === 0) await this.frequencies.refresh();
    const { prng } = this;
    const { query, matches } = drawSearch(prng, this.nation);
    const [limit, offset] = [prng.between(0, 100), prng.chance(0.5) ? 0 : prng.between(0, MOST_OFFSET)];
    const body = { query, limit, offset };
    await this.database.snapshot(async (transaction) => {
      // What is known of all records is to be no older than the snapshot, as it is in a search.
      await transaction.query(sql`select`);
      const request = parseSearchRequest(body, { maxLimit: 10_000 });
      const context = await prepared(request.query, await this.context());
      const reader: SearchReader = {
        query: (statement) => transaction.query(statement),
        snapshot: (work) => work(transaction),
      };
      const found = await new SearchRepository(reader).run(
        planOf(compileSearch(request, 'everything', context), this.frequencies.cardinalities),
      );
      const records = this.checks % IN_ANSWERS === 0 ? RECORDS.answers : RECORDS.columns;
      // Nothing that an index says is believed here.
      await transaction.query(sql`
        select set_config('enable_indexscan', 'off', true), set_config('enable_indexonlyscan', 'off', true),
               set_config('enable_bitmapscan', 'off', true)`);
      const [counted] = await transaction.query<{ total: string }>(
        sql`select count(*) as total from ${records} where ${matches}`,
      );
      const page = await transaction.query<{ body: string }>(sql`
        select body from ${records} where ${matches}
         order by updated_at desc, id limit ${limit}::bigint offset ${offset}::bigint`);
      this.compare(body, found, { total: Number(counted?.total), bodies: page.map((row) => row.body) });
    });
  }

  private compare(body: object, found: Counted, expected: Counted): void {
    this.checks += 1;
    if (expected.total > MANY) this.manyMatches += 1;
    if (found.total === expected.total && isDeepStrictEqual([...found.bodies], [...expected.bodies])) return;
    const page = found.bodies.findIndex((record, at) => record !== expected.bodies[at]);
    this.differences.push(
      `${JSON.stringify(body)}: total ${found.total}, counted ${expected.total}; ` +
        `${found.bodies.length} on the page, counted ${expected.bodies.length}, the first other one is number ${page}`,
    );
  }

  private async context(): Promise<SearchContext> {
    return {
      now: new Date(),
      timezone: 'UTC',
      below: (location): readonly Uuid[] => this.hierarchy.below(location),
      ...(await this.dictionary.caughtUp()),
    };
  }
}

interface Counted {
  readonly total: number;
  readonly bodies: readonly string[];
}
