import { type Sql, sql, unseen } from '../../../kernel/sql/sql.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { EVERY_TERM } from '../../index/bitmaps/bitmap.js';
import { bitmapTermsOf } from '../plan/bitmap-terms.js';
import { areSlicesWorthwhile } from '../plan/by-slices.js';
import type { SearchPlan } from '../plan/plan.js';
import { type CompiledSearch, inDoubt } from '../predicate/compile-search.js';
import { combinedProof, compileProof } from '../predicate/proof.js';
import { type CountedByBitmaps, countedByBitmaps } from '../statement/bitmap-total.js';
import { compileCountedPage, COUNTED_TOTAL } from '../statement/page.js';
import type { Found, PageRow } from './found.js';
import { KnownOutdated } from './known-outdated.js';
import { nearRows, rowsDue, WALK_BOUNDS } from './near-rows.js';
import { pageAndTotal } from './page-and-total.js';
import { areBitmapsTrusted, FURTHER_BITMAPS } from './trusted-bitmaps.js';
import { twoPhaseSearch } from './two-phase-search.js';

interface KnownBitmaps {
  readonly counted: CountedByBitmaps;
  /** Whether the bitmaps exist and may count, in the statement's snapshot. */
  readonly holds: Sql;
}

/** Undefined if the bitmaps of the last statistics cannot count the matches. */
export function countedByKnownBitmaps({ search, cardinalities, matches }: SearchPlan): KnownBitmaps | undefined {
  const { terms, proof } = bitmapTermsOf(search.matches);
  if (terms.length === 0) return undefined;
  // Where a slice is missing, a walked page is counted without slices.
  const further = areSlicesWorthwhile(search.page, matches, cardinalities) ? FURTHER_BITMAPS : [EVERY_TERM];
  const tracked = new Set([...further, ...terms].filter((term) => cardinalities.tracked.has(term)));
  const counted = countedByBitmaps(search.matches, tracked, cardinalities);
  const { readBefore } = search;
  return (
    counted && {
      counted,
      holds: sql`(select count(*) from bitmap where term = any(${unseen(sql`${[...tracked]}::bigint[]`)}::bigint[])) = ${tracked.size}::int
    and ${areBitmapsTrusted(combinedProof(search.proof === undefined ? [proof] : [search.proof, proof]))}${readBefore === undefined ? sql`` : sql` and ${readBefore.unchanged}`}`,
    }
  );
}

/** `walked in vain`: the walk ended before the page was full. */
export type Unanswered = 'not counted' | 'walked in vain';

/**
 * One statement, if bitmaps count the matches and the page needs no full scan. It checks that the bitmaps are unchanged
 * and trusted.
 */
export async function countedPage(
  reader: Queryable,
  { search, cardinalities, matches }: SearchPlan,
  { counted, holds }: KnownBitmaps,
  walk = WALK_BOUNDS,
): Promise<Found | Unanswered> {
  const { page } = search;
  const near =
    page.limit === 0
      ? { rows: undefined, isComplete: true }
      : nearRows(
          search,
          { total: matches, counted: { bitmaps: counted, exactTotal: COUNTED_TOTAL } },
          cardinalities,
          walk,
        );
  if (near === undefined) return 'not counted';
  const found = await reader.query<PageRow>(compileCountedPage({ counted, holds, rows: near.rows }, page));
  const [first] = found;
  if (first === undefined || first.total === null) return 'not counted';
  const total = Number(first.total);
  const rows = found.filter((row) => row.body !== null);
  return near.isComplete || rows.length === rowsDue(page, total) ? { total, rows } : 'walked in vain';
}

/**
 * In one snapshot, so that page and total agree (S-5). If the proof fails, the search without a proof runs. Throws
 * `KnownOutdated` if words or kinds of values are outdated.
 */
export async function runSearch(snapshot: Queryable, plan: SearchPlan): Promise<Found> {
  const found = await runAtOnce(snapshot, plan);
  return isAnswered(found) ? found : runInPhases(snapshot, plan, found);
}

/** `reader` need not be a snapshot: only one statement runs. */
export async function runAtOnce(reader: Queryable, plan: SearchPlan): Promise<Found | Unanswered> {
  const { kind, search, cardinalities } = plan;
  const known = kind === 'single-statement' ? undefined : countedByKnownBitmaps(plan);
  const counted = known === undefined ? 'not counted' : await countedPage(reader, plan, known);
  if (isAnswered(counted) && search.readBefore?.isOfThisServer() === false) throw new KnownOutdated(counted);
  if (isAnswered(counted) || kind === 'two-phase') return counted;
  const found = await pageAndTotal(reader, search, cardinalities);
  return found.proven ? found : pageAndTotal(reader, await inDoubt(search), cardinalities);
}

export const isAnswered = (found: Found | Unanswered): found is Found => typeof found !== 'string';

export async function runInPhases(
  snapshot: Queryable,
  { search, cardinalities }: SearchPlan,
  why: Unanswered,
): Promise<Found> {
  const { readBefore, ...asked } = search;
  const { proven, isCurrent } = await stateOf(snapshot, search);
  const trusted = proven ? asked : await inDoubt(asked);
  const found = await twoPhaseSearch(
    snapshot,
    trusted,
    cardinalities,
    why === 'walked in vain' ? 'in vain' : WALK_BOUNDS,
  );
  if (!isCurrent || readBefore?.isOfThisServer() === false) throw new KnownOutdated(found);
  return found;
}

interface State {
  readonly proven: boolean;
  readonly isCurrent: boolean;
}

async function stateOf(snapshot: Queryable, { proof, readBefore }: CompiledSearch): Promise<State> {
  if (proof === undefined && readBefore === undefined) return { proven: true, isCurrent: true };
  const [row] = await snapshot.query<State>(
    sql`select ${proof === undefined ? sql`true` : compileProof(proof)} as proven, ${readBefore?.unchanged ?? sql`true`} as "isCurrent"`,
  );
  return row ?? { proven: false, isCurrent: false };
}
