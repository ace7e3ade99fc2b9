import type { Connections } from '../../../database/pools/connections.js';
import { sql } from '../../../sql/sql.js';

/** Asks for the entries of one direction that begin so. */
export interface NumberProbe {
  /** `f`: words as they are; `r`: from their last letter to their first. */
  readonly direction: 'f' | 'r';
  readonly prefix: string;
}

/** Where an entry may be that a probe asks for: it has others too. */
export interface NumberBlock {
  readonly direction: 'f' | 'r';
  /** No entry sorts before it; those that begin the block before another are in an earlier one. */
  readonly first: string;
  /** Lines of a word, a space and the id of its path. */
  readonly entries: string;
}

/** Where blocks are. A signal that aborts cancels the statement. */
export type ProbedDatabase = Pick<Connections, 'query'>;

/** Of one prefix; with more, none of them is known to be all. */
const MOST_BLOCKS = 8;

/** Sorts behind every letter of an entry. */
const BEHIND = '\x7f';

/** A statement with more of them would take tens of milliseconds. */
const MOST_PROBES = 8_000;

/** The blocks with the entries that the probes ask for: all of those where `isDense` does not say otherwise. */
export async function probe(
  reader: ProbedDatabase,
  probes: readonly NumberProbe[],
  signal?: AbortSignal,
): Promise<readonly NumberBlock[]> {
  const found: NumberBlock[] = [];
  for (let at = 0; at < probes.length; at += MOST_PROBES) {
    found.push(...(await probeSome(reader, probes.slice(at, at + MOST_PROBES), signal)));
  }
  return found;
}

/** The block in which a prefix would be, and the next ones that begin with it. */
const probeSome = (
  reader: ProbedDatabase,
  probes: readonly NumberProbe[],
  signal: AbortSignal | undefined,
): Promise<NumberBlock[]> =>
  reader.query<NumberBlock>(
    sql`
    with asked as (
           select direction::"char", prefix collate "C" as prefix
             from unnest(
                    ${probes.map(({ direction }) => direction)}::text[],
                    ${probes.map(({ prefix }) => prefix)}::text[]) as asked (direction, prefix)),
         found as materialized (
           select distinct asked.direction, first
             from asked cross join lateral (
                  (select first from number_block as block
                    where block.direction = asked.direction and block.first <= prefix
                    order by block.direction desc, block.first desc limit 1)
                   union all
                  (select first from number_block as block
                    where block.direction = asked.direction and block.first > prefix
                      and block.first < prefix || ${BEHIND}::text
                    order by block.direction, block.first limit ${MOST_BLOCKS + 1}::int)) as block)
    select found.direction, found.first, entries
      from found cross join lateral (
           -- One by one: the planner knows nothing of how few there are.
           select entries from number_block as block
            where block.direction = found.direction and block.first = found.first limit 1) as block
     order by direction, first`,
    signal,
  );

/** Whether there are more blocks for the probe than it was answered with. `firsts` of its direction, in order. */
export function isDense({ prefix }: NumberProbe, firsts: readonly string[]): boolean {
  let [from, to] = [0, firsts.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((firsts[middle] ?? '') > prefix) to = middle;
    else from = middle + 1;
  }
  const next = firsts[from + MOST_BLOCKS];
  return next !== undefined && next < prefix + BEHIND;
}
