import { readTerms } from '../../src/events/index/terms/terms.js';
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../src/platform/database/pools/connections.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import type { Prng } from '../../demo/prng.js';
import { NO_WORDS } from '../../src/events/index/terms/near-words.js';
import { readVocabulary } from '../../src/events/index/terms/read-vocabulary.js';
import { NO_SHAPES } from '../../src/events/index/terms/vocabulary.js';
import { askedVocabulary } from '../../src/events/search/predicate/asked-vocabulary.js';
import { DocumentFrequencies } from '../../src/events/index/statistics/document-frequencies.js';
import type { Query } from '../../src/kernel/domain/search-request.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { Hierarchy } from '../../src/auth/locations/hierarchy-cache.js';
import { planOf } from '../../src/events/search/plan/plan.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { type SearchContext, TermRoom } from '../../src/events/search/predicate/search-context.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import { type SearchReader, SearchRepository } from '../../src/events/search/search.repository.js';
import type { Nation } from '../data/nation.js';
import { type Counted, countedPages, type DrawnPage } from './counted-pages.js';
import { drawSearch } from './counted-search.js';

const MANY = 30_000;
const MOST_OFFSET = 2_000;
/** One pass in so many is over the answers: that takes ten times as long. */
const IN_ANSWERS = 10;

/** Compares searches with plain counting, `together` of them in a snapshot that both see. */
export class SoakReader {
  checks = 0;
  manyMatches = 0;
  inAnswers = 0;
  private passes = 0;
  readonly differences: string[] = [];
  private readonly frequencies: DocumentFrequencies;
  private readonly hierarchy: Hierarchy;

  constructor(
    private readonly database: Database,
    private readonly nation: Nation,
    private readonly prng: Prng,
    private readonly together: number,
  ) {
    this.frequencies = new DocumentFrequencies(database);
    this.hierarchy = new Hierarchy([...nation.file.administrativeAreas, ...nation.file.locations]);
  }

  /** Compares some searches with what one pass over all records counts for them, all in one snapshot. */
  async check(): Promise<void> {
    await this.frequencies.refresh();
    const drawn = Array.from({ length: this.together }, () => this.draw());
    await this.database.patient.snapshot(async (transaction) => {
      const found: Counted[] = [];
      for (const { body } of drawn) found.push(await this.found(transaction, body));
      const records = this.passes % IN_ANSWERS === IN_ANSWERS - 1 ? 'answers' : 'columns';
      const expected = await countedPages(transaction, drawn, records);
      for (const [at, { body }] of drawn.entries()) this.compare(body, found[at], expected[at]);
      if (records === 'answers') this.inAnswers += drawn.length;
    });
    this.passes += 1;
  }

  private draw(): DrawnPage {
    const { prng } = this;
    const { query, matches } = drawSearch(prng, this.nation);
    const [limit, offset] = [prng.between(0, 100), prng.chance(0.5) ? 0 : prng.between(0, MOST_OFFSET)];
    return { body: { query, limit, offset }, matches };
  }

  private async found(transaction: Transaction, body: object): Promise<Counted> {
    const request = parseSearchRequest(body, { maxLimit: 10_000 });
    const context = await this.context(transaction, request.query);
    const reader: SearchReader = {
      query: (statement) => transaction.query(statement),
      snapshot: (work) => work(transaction),
    };
    return new SearchRepository(reader).run(
      planOf(compileSearch(request, 'everything', context), this.frequencies.cardinalities),
    );
  }

  private compare(body: object, found?: Counted, expected?: Counted): void {
    if (found === undefined || expected === undefined) throw new Error('A search was not counted');
    this.checks += 1;
    if (expected.total > MANY) this.manyMatches += 1;
    if (found.total === expected.total && isDeepStrictEqual([...found.bodies], [...expected.bodies])) return;
    const page = found.bodies.findIndex((record, at) => record !== expected.bodies[at]);
    this.differences.push(
      `${JSON.stringify(body)}: total ${found.total}, counted ${expected.total}; ` +
        `${found.bodies.length} on the page, counted ${expected.bodies.length}, the first other one is number ${page}`,
    );
  }

  private async context(snapshot: Transaction, query: Query): Promise<SearchContext> {
    const asked = askedVocabulary(query);
    return {
      now: new Date(),
      timezone: 'UTC',
      below: (location): readonly Uuid[] => this.hierarchy.below(location),
      terms: await readTerms(this.database),
      room: new TermRoom(),
      ...(asked === undefined ? { dictionary: NO_WORDS, shapes: NO_SHAPES } : await readVocabulary(snapshot, asked)),
    };
  }
}
