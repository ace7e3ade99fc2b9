import type { Connections } from '../../../platform/database/pools/connections.js';
import { byCodePoint } from '../../../kernel/domain/text.js';
import { inGroupsOf } from '../../../kernel/domain/in-groups-of.js';
import { sql } from '../../../kernel/sql/sql.js';

/** `f`: numbers and addresses, `r`: reversed; `F` and `R`: the same for names, in `name-letters.ts`. */
export type Direction = 'f' | 'r' | 'F' | 'R';

/** Entries of one direction with this prefix. */
export interface BlockProbe {
  readonly direction: Direction;
  readonly prefix: string;
  /** Continues after this block. */
  readonly after?: string;
}

/** A block that may hold a requested entry. */
export interface WordBlock {
  readonly direction: Direction;
  /** The lower bound of its entries. */
  readonly first: string;
  /** Lines of a word, a space and a path id; for names perhaps letters, id, space and name. */
  readonly entries: string;
}

/** An aborted signal cancels the statement. */
export type ProbedDatabase = Pick<Connections, 'query'>;

export interface Probing {
  /** `begins`: lower bounds only. */
  readonly for: 'entries' | 'begins';
  readonly signal?: AbortSignal | undefined;
}

/** With more, the answer is incomplete. */
const MOST_BLOCKS = 8;

/** Sorts after every letter of any script. */
const BEHIND = '\u{10ffff}';

/** A statement with more probes takes tens of milliseconds. */
const MOST_PROBES = 8_000;

/** Complete, unless an answer is dense. */
export async function probe(
  reader: ProbedDatabase,
  probes: readonly BlockProbe[],
  probing: Probing,
): Promise<FoundBlocks> {
  const found: WordBlock[] = [];
  for (const some of inGroupsOf(probes, MOST_PROBES)) found.push(...(await probeSome(reader, some, probing)));
  return new FoundBlocks(found);
}

/** The prefix's block, and the next ones with that prefix. */
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

export interface Answered {
  readonly blocks: readonly WordBlock[];
  /** There are more blocks; these are the first. */
  readonly isDense: boolean;
}

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
