import { readTerms } from '../../src/events/index/terms/terms.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import { DictionaryFollower } from '../../src/events/index/near-words/dictionary-follower.js';
import { NO_WORDS } from '../../src/events/index/near-words/fuzzy-dictionary.js';
import { DocumentFrequencies } from '../../src/events/index/statistics/document-frequencies.js';
import { compileSearch } from '../../src/events/search/predicate/compile-search.js';
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
  const context = {
    now: new Date(),
    timezone: 'UTC',
    below: () => [],
    dictionary: NO_WORDS,
    shapes: await new DictionaryFollower(database).shapes(),
    terms: await readTerms(database),
  };
  return bodies.map((body) => {
    const search = compileSearch(parseSearchRequest(body, { maxLimit: 10_000 }), 'everything', context);
    return compileSingleStatement(search, frequencies.cardinalities).toQuery();
  });
}
