import { readTerms } from '../../src/events/index/terms/terms.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import { readVocabulary } from '../../src/events/index/terms/read-vocabulary.js';
import { NO_SHAPES } from '../../src/events/index/terms/vocabulary.js';
import { NO_WORDS } from '../../src/events/index/terms/near-words.js';
import { askedVocabulary } from '../../src/events/search/predicate/asked-vocabulary.js';
import { DocumentFrequencies } from '../../src/events/index/statistics/document-frequencies.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
import { TermRoom } from '../../src/events/search/predicate/search-context.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';
import { compileSingleStatement } from '../../src/events/search/statement/page.js';

export interface Statement {
  readonly text: string;
  readonly params: readonly unknown[];
}

/** The SQL that the service runs for each of these bodies, look-ups of a few records that ask for no place. */
export async function statementsOf(database: Database, bodies: readonly object[]): Promise<Statement[]> {
  const frequencies = new DocumentFrequencies(database);
  await frequencies.refresh();
  const terms = await readTerms(database);
  const statements: Statement[] = [];
  for (const body of bodies) {
    const request = parseSearchRequest(body, { maxLimit: 10_000 });
    const asked = askedVocabulary(request.query);
    const known =
      asked === undefined ? { dictionary: NO_WORDS, shapes: NO_SHAPES } : await readVocabulary(database, asked);
    const context = { now: new Date(), timezone: 'UTC', below: () => [], terms, room: new TermRoom(), ...known };
    const search = compileSearch(request, 'everything', context);
    statements.push(compileSingleStatement(search, frequencies.cardinalities).toQuery());
  }
  return statements;
}
