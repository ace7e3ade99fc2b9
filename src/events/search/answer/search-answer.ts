import { KIB, MIB } from '../../../kernel/domain/bytes.js';
import type { SortValues } from '../../../kernel/domain/search-request.js';
import type { SearchPlan } from '../plan/plan.js';
import type { Page } from '../predicate/sort.js';
import type { Found } from './run-search.js';
import type { Write } from './streamed-body.js';

export interface SearchResult {
  readonly total: number;
  /** In order, as the JSON texts created when records were written (S-13). */
  readonly bodies: readonly string[];
  /** The last record's sort values; undefined on the last page (S-15). */
  readonly next: SortValues | undefined;
}

/** The further row tells whether there is a next page. */
export const withOneMore = (plan: SearchPlan): SearchPlan =>
  plan.search.page.limit === 0 ? plan : withPage(plan, { limit: plan.search.page.limit + 1 });

export const withPage = (plan: SearchPlan, page: Partial<Page>): SearchPlan => ({
  ...plan,
  search: { ...plan.search, page: { ...plan.search.page, ...page } },
});

/** Limits stored texts; the answer is about half as long. */
const MOST_HELD_BYTES = 16 * MIB;

/** A record that may exceed the limit has no text. */
export const heldWhole = (plan: SearchPlan): SearchPlan =>
  withPage(plan, { longest: Math.floor(MOST_HELD_BYTES / (plan.search.page.limit + 1)) });

export const isTooLarge = ({ bodies }: SearchResult): boolean => bodies.includes('');

/** Expects the result of `withOneMore`. */
export function resultOf({ total, rows }: Found, limit: number): SearchResult {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    total,
    bodies: rows.slice(0, limit).map(({ body }) => body),
    next: last && (JSON.parse(last.sort_values) as SortValues),
  };
}

/** In characters: smaller answers are sent together with their head. */
const SMALL = 16 * KIB;

/**
 * JSON, as text or in UTF-8. Parsing the stored records would halve the throughput. They are encoded one by one: one
 * letter beyond Latin-1 doubles the memory of a text.
 */
export function searchAnswer({ total, bodies }: Pick<SearchResult, 'total' | 'bodies'>): string | Buffer {
  const characters = bodies.reduce((sum, body) => sum + body.length, 0);
  if (characters < SMALL) return `${BEGIN}${bodies.join(',')}${end(total)}`;
  const parts = bodies.map((body, at) => Buffer.from(at === 0 ? body : `,${body}`));
  return Buffer.concat([Buffer.from(BEGIN), ...parts, Buffer.from(end(total))]);
}

export async function writeSearchAnswer(
  total: number,
  bodies: AsyncIterable<readonly string[]>,
  write: Write,
): Promise<void> {
  let before = BEGIN;
  for await (const some of bodies) {
    await write(`${before}${some.join(',')}`);
    before = ',';
  }
  await write(`${before === BEGIN ? BEGIN : ''}${end(total)}`);
}

const BEGIN = '{"results":[';

const end = (total: number): string => `],"total":${total}}`;
