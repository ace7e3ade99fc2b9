/**
 * What reading webhook filters costs the process, without a database: `npx tsx bench/reading-filters.ts [COUNT]`. Tells
 * the processor time of the longest stretches without a rest, which other programs on the machine hardly disturb. Its
 * results are in docs/performance-webhooks.md.
 */
import { MIB } from '../src/domain/bytes.js';
import type { Uuid } from '../src/domain/uuid.js';
import { requirementOfQuery } from '../src/search/evaluate/requirement-of-query.js';
import { parseSearchRequest } from '../src/search/request/parse-search-request.js';
import { TimeSlice } from '../src/database/time-slice.js';
import { RegisteredTopic } from '../src/webhooks/subscriptions/registered-topic.js';

const MOST_MARKS = 3_000_000;
const count = Number(process.argv[2] ?? 10_000);

const textOf = (number: number): string =>
  JSON.stringify({
    type: 'or',
    clauses: Array.from({ length: 249 }, (_, at) => ({
      data: { 'child.gender': { type: 'exact', term: `x${number} ${at}` } },
    })),
  });

const millisecondsSince = (mark: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(mark);
  return (user + system) / 1_000;
};

const topic: RegisteredTopic = new RegisteredTopic(() => MOST_MARKS - topic.marks);
const stretches: number[] = [];
const began = process.cpuUsage();
const slice = new TimeSlice();
let mark = began;
for (let number = 0; number < count; number += 1) {
  const { query } = parseSearchRequest({ query: JSON.parse(textOf(number)) as unknown }, { maxLimit: 0 });
  const requirement = requirementOfQuery(query);
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as Uuid;
  topic.set({ id, revision: BigInt(number), test: 'not kept', keptBytes: 0, requirement });
  if (slice.isOver) {
    stretches.push(millisecondsSince(mark));
    await slice.next();
    mark = process.cpuUsage();
  }
}
stretches.sort((one, other) => other - one);
console.log(
  JSON.stringify({
    filters: count,
    cpuMsEach: millisecondsSince(began) / count,
    longestStretchesMs: stretches.slice(0, 3),
    medianStretchMs: stretches[stretches.length >> 1],
    heapMb: process.memoryUsage().heapUsed / MIB,
  }),
);
