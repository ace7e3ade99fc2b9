import { compileSearch } from '../../src/events/search/compile/compile-search.js';
import { compilePageAndTotal } from '../../src/events/search/compile/page.js';
import { compileIndexed } from '../../src/events/search/compile/render.js';
import type { SearchContext } from '../../src/events/search/compile/search-context.js';
import { NO_WORDS } from '../../src/events/search/fuzzy/no-words.js';
import { UNKNOWN_SIZES } from '../../src/events/search/plan/unknown-sizes.js';
import { parseSearchRequest } from '../../src/events/search/request/parse-search-request.js';

export interface Statement {
  readonly text: string;
  readonly params: readonly unknown[];
}

const CONTEXT: SearchContext = {
  now: new Date(),
  timezone: 'UTC',
  callerSubject: 'bench',
  below: () => [],
  dictionary: NO_WORDS,
};

/** The SQL that the service runs for a look-up of a few records. */
export function statementOf(body: object): Statement {
  const { matches, page } = compileSearch(parseSearchRequest(body, { maxLimit: 10_000 }), 'everything', CONTEXT);
  return compilePageAndTotal(compileIndexed(matches, UNKNOWN_SIZES), page).toQuery();
}
