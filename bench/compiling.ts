/**
 * What the costliest permitted searches take of the process before the database has them: `npx tsx bench/compiling.ts`.
 * In processor time of each part, in a fresh process and a warm one; only between the parts, and within the
 * preparation, others have their turn. Its results are in docs/explanation/search.md.
 */
import { UNKNOWN_CARDINALITIES } from '../src/events/index/statistics/cardinalities.js';
import { requireAffordable } from '../src/events/search/plan/cost.js';
import { planOf } from '../src/events/search/plan/plan.js';
import { compileSearch } from '../src/events/search/predicate/compile-search.js';
import { prepared } from '../src/events/search/predicate/prepared.js';
import type { SearchContext } from '../src/events/search/predicate/search-context.js';
import { parseSearchRequest } from '../src/events/search/request/parse-search-request.js';
import { compileSingleStatement } from '../src/events/search/statement/page.js';
import { knownOf } from '../test/support/reference/near-words.js';

const RUNS = 5;
const BOUND = { most: 20_000, name: 'SEARCH_MAX_COST' };

const context: SearchContext = {
  now: new Date(),
  timezone: 'UTC',
  below: () => [],
  ...knownOf([{ 'child.name': { firstname: 'Musonda', surname: 'Banda' } }]),
};
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const anyOf = (count: number) => ({ type: 'anyOf', terms: times(count, () => Math.random().toString(36).slice(2, 8)) });
const EDGES: Readonly<Record<string, readonly object[]>> = {
  '10,000 names': times(10, () => ({ data: { 'child.name': anyOf(1_000) } })),
  '2,000 fields': [{ data: Object.fromEntries(times(2_000, (at) => [`f${at}`, { type: 'exact', term: 'x' }])) }],
  '500 places': times(500, () => ({ createdAtLocation: { type: 'within', location: 'no such place' } })),
  '20 conditions of 10 terms on any field': times(20, () => ({ data: anyOf(10) })),
};

const millisecondsSince = (mark: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(mark);
  return (user + system) / 1_000;
};

for (const [search, clauses] of Object.entries(EDGES)) {
  const text = JSON.stringify({ query: { type: 'or', clauses }, limit: 10 });
  for (let run = 1; run <= RUNS; run += 1) {
    let mark = process.cpuUsage();
    const request = parseSearchRequest(JSON.parse(text), { maxLimit: 100 });
    requireAffordable(request.query, BOUND);
    const parsingMs = millisecondsSince(mark);
    mark = process.cpuUsage();
    const ready = await prepared(request.query, context);
    const preparationMs = millisecondsSince(mark);
    mark = process.cpuUsage();
    const compiled = compileSearch(request, 'everything', ready);
    planOf(compiled, UNKNOWN_CARDINALITIES);
    compileSingleStatement(compiled, UNKNOWN_CARDINALITIES).toQuery();
    const compilingMs = millisecondsSince(mark);
    if (run === 1 || run === RUNS) console.log(JSON.stringify({ search, run, parsingMs, preparationMs, compilingMs }));
  }
}
