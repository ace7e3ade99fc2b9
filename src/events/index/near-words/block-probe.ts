import type { Connections } from '../../../platform/database/pools/connections.js';
import { byCodePoint } from '../../../kernel/domain/code-point-order.js';
import { inGroupsOf } from '../../../kernel/domain/in-groups-of.js';
import { sql } from '../../../kernel/sql/sql.js';

/**
 * Of numbers and addresses, `f` has them as they are, and `r` from their last letter to their first; `F` and `R` are
 * the same of names, in `name-letters.ts`.
 */
export type Direction = 'f' | 'r' | 'F' | 'R';

/** Asks for the entries of one direction that begin so. */
export interface BlockProbe {
  readonly direction: Direction;
  readonly prefix: string;
  /** Continues after this block, of which nothing more is wanted. */
  readonly after?: string;
}

/** A block that may hold an entry that a probe asks for, among others. */
export interface WordBlock {
  readonly direction: Direction;
  /** No entry sorts before it; those that begin the block before another are in an earlier one. */
  readonly first: string;
  /**
   * Lines of a word, a space and the id of its path; of a name perhaps of its letters, the id, a space and the name.
   */
  readonly entries: string;
}

/** Where blocks are. A signal that aborts cancels the statement. */
export type ProbedDatabase = Pick<Connections, 'query'>;

/** How to probe. */
export interface Probing {
  /** `begins`: only where the blocks begin; their entries are left out. */
  readonly for: 'entries' | 'begins';
  readonly signal?: AbortSignal | undefined;
}

/** The most blocks that are read for one prefix: with more, it is not known whether these are all. */
const MOST_BLOCKS = 8;

/** Sorts behind every letter of an entry, in whichever script. */
const BEHIND = '\u{10ffff}';

/** A statement with more of them would take tens of milliseconds. */
const MOST_PROBES = 8_000;

/** The blocks with the entries that the probes ask for: all of those where they do not say otherwise. */
export async function probe(
  reader: ProbedDatabase,
  probes: readonly BlockProbe[],
  probing: Probing,
): Promise<FoundBlocks> {
  const found: WordBlock[] = [];
  for (const some of inGroupsOf(probes, MOST_PROBES)) found.push(...(await probeSome(reader, some, probing)));
  return new FoundBlocks(found);
}

/** The block in which a prefix would be, and the next ones that begin with it. */
const probeSome = (
  reader: ProbedDatabase,
  probes: readonly BlockProbe[],
  probing: Probing,
): Promise<readonly WordBlock[]> =>
  reader.query<WordBlock>(
    sql`
    with asked as (
           select direction::"char", prefix collate "C" as prefix, after collate "C" as after
             from unnest(
                    ${probes.map(({ direction }) => direction)}::text[],
                    ${probes.map(({ prefix }) => prefix)}::text[],
                    ${probes.map(({ prefix, after }) => after ?? prefix)}::text[]) as asked (direction, prefix, after)),
         found as materialized (
           select distinct asked.direction, first
             from asked cross join lateral (
                  (select first from number_block as block
                    where block.direction = asked.direction and block.first <= after
                    order by block.direction desc, block.first desc limit 1)
                   union all
                  (select first from number_block as block
                    where block.direction = asked.direction and block.first > after
                      and block.first < prefix || ${BEHIND}::text
                    order by block.direction, block.first limit ${MOST_BLOCKS + 1}::int)) as block)
    ${
      probing.for === 'begins'
        ? sql`select direction, first, '' as entries from found`
        : sql`
    select found.direction, found.first, entries
      from found cross join lateral (
           -- One by one: the planner knows nothing of how few there are.
           select entries from number_block as block
            where block.direction = found.direction and block.first = found.first limit 1) as block`
    }`,
    probing.signal,
  );

/** The answer to one probe. */
export interface Answered {
  readonly blocks: readonly WordBlock[];
  /** There are more blocks than these, which are the first. */
  readonly isDense: boolean;
}

/** The answers to several probes. */
export class FoundBlocks {
  private readonly byDirection = new Map<Direction, WordBlock[]>();

  constructor(found: readonly WordBlock[]) {
    for (const block of found) {
      const blocks = this.byDirection.get(block.direction);
      if (blocks === undefined) this.byDirection.set(block.direction, [block]);
      else blocks.push(block);
    }
    for (const blocks of this.byDirection.values()) blocks.sort((one, other) => byCodePoint(one.first, other.first));
  }

  of({ direction, prefix, after = prefix }: BlockProbe): Answered {
    const blocks = this.byDirection.get(direction) ?? [];
    let [next, to] = [0, blocks.length];
    while (next < to) {
      const middle = (next + to) >>> 1;
      if (byCodePoint(blocks[middle]?.first ?? '', after) > 0) to = middle;
      else next = middle + 1;
    }
    const behind = prefix + BEHIND;
    let end = next;
    while (end < blocks.length && end - next <= MOST_BLOCKS && byCodePoint(blocks[end]?.first ?? '', behind) < 0)
      end += 1;
    return { blocks: blocks.slice(Math.max(next - 1, 0), end), isDense: end - next > MOST_BLOCKS };
  }
}
