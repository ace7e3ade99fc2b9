import { nationalIdOf } from '../data/national-declaration.js';
import type { Service } from '../service/service.js';
import type { Draws } from './query-kinds.js';

/** A request at the edge of what a search may cost. */
export interface EdgeFound {
  readonly name: string;
  readonly status: number;
  readonly ms: number;
  /** The longest stretch for which the event loop of the service was held. */
  readonly heldMs: number;
  /** How much more memory the process had after it than before, at most. */
  readonly megabytes: number;
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** Requests that are always permitted, and one that is refused. */
function edges(draws: Draws): readonly (readonly [string, readonly object[]])[] {
  const surnames = (count: number): string[] => times(count, () => draws.surname(0, 5_000));
  const numbers = (): string => times(20, () => nationalIdOf(draws.index(), 0)).join(' ');
  return [
    ['10,000 names', times(10, () => ({ data: { 'child.name': { type: 'anyOf', terms: surnames(1_000) } } }))],
    ['20 fuzzy conditions of 20 numbers', times(20, () => ({ data: { type: 'fuzzy', term: numbers() } }))],
    ['20 conditions of 10 terms on any field', times(20, () => ({ data: { type: 'anyOf', terms: surnames(10) } }))],
    ['1,000 terms on any field: refused', [{ data: { type: 'anyOf', terms: surnames(1_000) } }]],
  ];
}

/** Asks each once to warm up, and once measured. */
export async function edgeOfBudget(service: Service, draws: Draws, tell: (line: string) => void): Promise<EdgeFound[]> {
  const found: EdgeFound[] = [];
  for (const [name, clauses] of edges(draws)) {
    const body = { query: { type: 'or', clauses }, limit: 10 };
    await service.search(body);
    const before = service.memory.now;
    await service.longestStretchMs();
    const { status, ms } = await service.search(body);
    const heldMs = await service.longestStretchMs();
    const megabytes = service.memory.now - before;
    found.push({ name, status, ms, heldMs, megabytes });
    tell(`${name}: ${status}, ${ms.toFixed(0)} ms, held for ${heldMs.toFixed(0)} ms, ${megabytes.toFixed(0)} MB`);
  }
  return found;
}
