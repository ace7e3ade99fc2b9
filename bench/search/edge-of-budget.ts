import { nationalIdOf } from '../data/national-declaration.js';
import { medianOf } from '../measure/spread.js';
import type { Service } from '../service/service.js';
import type { Draws } from './query-kinds.js';

/** A request at the edge of what a search may cost. */
export interface EdgeFound {
  readonly name: string;
  readonly status: number;
  /** What is said of its cost where it is refused; how many records match otherwise. */
  readonly said: string;
  /** The median of the runs. */
  readonly ms: number;
  /** The longest stretch for which the event loop of the service was held: the median of the runs, and the least. */
  readonly heldMs: number;
  readonly leastHeldMs: number;
  /** How much more memory the process had after them than before. */
  readonly megabytes: number;
}

const RUNS = 5;
/** What takes long is measured fewer times. */
const LONGEST_MS = 20_000;

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** Requests that are always permitted, each at its bound, and such as are refused. */
function edges(draws: Draws): readonly (readonly [string, readonly object[]])[] {
  const surnames = (count: number): string[] => times(count, () => draws.surname(0, 5_000));
  const ids = (count: number): string[] => times(count, () => nationalIdOf(draws.index(), 0));
  const anyOf = (terms: readonly string[]) => ({ type: 'anyOf', terms });
  const numbers = (): string => ids(20).join(' ');
  return [
    ['10,000 names', times(10, () => ({ data: { 'child.name': anyOf(surnames(1_000)) } }))],
    ['10,000 national ids', times(10, () => ({ data: { 'child.nid': anyOf(ids(1_000)) } }))],
    ['20 fuzzy conditions of 20 numbers, any field', times(20, () => ({ data: { type: 'fuzzy', term: numbers() } }))],
    [
      '20 fuzzy conditions of 3 names, any field',
      times(20, () => ({ data: { type: 'fuzzy', term: surnames(3).join(' ') } })),
    ],
    ['20 conditions of 10 terms, any field', times(20, () => ({ data: anyOf(surnames(10)) }))],
    ['a range of a month, any field', [{ data: { type: 'range', gte: '2024-01-01', lte: '2024-01-31' } }]],
    ['a range of 15 years, any field', [{ data: { type: 'range', gte: '2010-01-01', lte: '2025-01-31' } }]],
    ['500 clauses on places', times(500, () => ({ createdAtLocation: { type: 'within', location: 'no such place' } }))],
    [
      '2,000 fields that no record has',
      [{ data: Object.fromEntries(times(2_000, (at) => [`f${at}`, { type: 'exact', term: 'x' }])) }],
    ],
    ['refused: 1,000 terms on any field', [{ data: anyOf(surnames(1_000)) }]],
    ['refused: 21,000 names', times(21, () => ({ data: { 'child.name': anyOf(surnames(1_000)) } }))],
    [
      'refused: 41 ranges on any field',
      times(41, () => ({ data: { type: 'range', gte: '2010-01-01', lte: '2011-01-31' } })),
    ],
  ];
}

/** Asks each once to warm up, and then measured. */
export async function edgeOfBudget(service: Service, draws: Draws, tell: (line: string) => void): Promise<EdgeFound[]> {
  const found: EdgeFound[] = [];
  for (const [name, clauses] of edges(draws)) {
    const body = { query: { type: 'or', clauses }, limit: 10 };
    const first = await service.search(body);
    const before = service.memory.now;
    const ms: number[] = [];
    const held: number[] = [];
    const until = performance.now() + LONGEST_MS;
    for (let run = 0; run < RUNS && (run === 0 || performance.now() < until); run++) {
      await service.longestStretchMs();
      ms.push((await service.search(body)).ms);
      held.push(await service.longestStretchMs());
    }
    const { total = 0, issues = [] } = JSON.parse(first.body) as { total?: number; issues?: { message: string }[] };
    const measured = {
      status: first.status,
      said: first.status === 200 ? String(total) : (issues[0]?.message ?? first.body.slice(0, 200)),
      ms: medianOf(ms),
      heldMs: medianOf(held),
      leastHeldMs: Math.min(...held),
      megabytes: service.memory.now - before,
    };
    found.push({ name, ...measured });
    tell(
      `${name}: ${measured.status} ${measured.said}, ${measured.ms.toFixed(0)} ms, held for ${measured.heldMs.toFixed(0)} ms (${measured.leastHeldMs.toFixed(0)}), ${measured.megabytes.toFixed(0)} MB`,
    );
  }
  return found;
}
