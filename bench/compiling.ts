/**
 * The widest permitted searches between parsing and the database: `npx tsx bench/compiling.ts`. Processor time, the
 * median and the least of the runs; each row is one stretch of the event loop.
 * Every kind of value, and a hundred near words of each word, are at every path: what somebody may have stored.
 */
import { UNKNOWN_CARDINALITIES } from '../src/events/index/statistics/cardinalities.js';
import { requireAffordable } from '../src/events/search/plan/cost.js';
import { planOf } from '../src/events/search/plan/plan.js';
import { compileSearch } from '../src/events/search/predicate/compile-search.js';
import { parseSearchRequest } from '../src/events/search/request/parse-search-request.js';
import { compileSingleStatement } from '../src/events/search/statement/page.js';
import { sentInBinary } from '../src/kernel/sql/sql.js';
import { crowdedWith, WIDEST } from '../test/support/widest-searches.js';

const RUNS = 25;

const millisecondsSince = (mark: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(mark);
  return (user + system) / 1_000;
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

for (const [search, clauses] of Object.entries(WIDEST)) {
  const text = JSON.stringify({ query: { type: 'or', clauses }, limit: 10 });
  const [parsing, compiling]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    let mark = process.cpuUsage();
    const request = parseSearchRequest(JSON.parse(text), { maxLimit: 100 });
    requireAffordable(request.query, { most: 2_000, name: 'SEARCH_MAX_COST' });
    parsing.push(millisecondsSince(mark));
    const context = crowdedWith(
      Number(process.argv[2] ?? 100),
      process.argv[3] === undefined ? undefined : new Set(process.argv.slice(3)),
    );
    mark = process.cpuUsage();
    const compiled = compileSearch(request, 'everything', context);
    planOf(compiled, UNKNOWN_CARDINALITIES);
    sentInBinary(compileSingleStatement(compiled, UNKNOWN_CARDINALITIES));
    compiling.push(millisecondsSince(mark));
  }
  console.log(
    JSON.stringify({
      search,
      parsingMs: median(parsing),
      compilingMs: median(compiling),
      least: Math.min(...compiling),
    }),
  );
}
