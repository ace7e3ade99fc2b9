import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { SearchPlan } from '../plan/plan.js';
import { type CompiledSearch, inDoubt } from '../predicate/compile-search.js';
import { compileProof } from '../predicate/proof.js';
import { countedByKnownBitmaps, countedPage, type Unanswered } from './counted-page.js';
import { KnownOutdated } from './known-outdated.js';
import type { Found } from './found.js';
import { WALK_BOUNDS } from './near-rows.js';
import { pageAndTotal } from './page-and-total.js';
import { twoPhaseSearch } from './two-phase-search.js';

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
