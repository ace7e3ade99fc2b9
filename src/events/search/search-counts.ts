import { Inject, Injectable } from '@nestjs/common';
import type { Query } from '../../kernel/domain/search-request.js';
import { Input, Notes } from '../../kernel/input/input.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { SearchDatabase } from '../../platform/database/pools/search-database.js';
import { derivedSnapshot } from '../index/derived-snapshot.js';
import { SearchAdmission, weightOfAll, weightOfWidth } from './search-admission.js';
import { runSearch } from './answer/run-search.js';
import { requireAffordableTogether } from './plan/cost.js';
import type { SearchPlan } from './plan/plan.js';
import { type DateReading, dateReadingOf, parseQuery } from './request/parse-search-request.js';
import { refuseSecuredIn } from './request/refuse-secured.js';
import { type InSnapshot, SearchPlanner } from './search-planner.js';
import type { Searcher } from './search.service.js';

/** S-17. */
export const MAX_COUNTED = 100;

/**
 * `{queries: [{query}, …]}`, 1 to 100, which share the limits of one search (S-4). Throws 400 BAD_REQUEST with one
 * issue per fault (G-4).
 */
function parseCountsRequest(body: unknown, { timezone, dateFields }: DateReading): readonly Query[] {
  const notes = new Notes(timezone, dateFields);
  const queries = parseBody(Input.body(body, notes));
  if (queries === null || !notes.none) throw notes.toError();
  return queries;
}

function parseBody(input: Input): readonly Query[] | null {
  if (!input.isObject) return input.refuse('must be an object with `queries`');
  input.refuseKeysBut(['queries']);
  const queries = input.member('queries');
  if (queries.length === null || queries.length === 0 || queries.length > MAX_COUNTED) {
    return queries.refuse(`must be a list of 1 to ${MAX_COUNTED} objects with \`query\``);
  }
  return queries
    .items(MAX_COUNTED)
    .map(parseItem)
    .filter((query) => query !== null);
}

function parseItem(input: Input): Query | null {
  if (!input.isObject) return input.refuse('must be an object with `query`');
  input.refuseKeysBut(['query']);
  return parseQuery(input.member('query'));
}

/** In the order of the request. */
export interface Totals {
  readonly totals: readonly number[];
}

/** Totals of one moment, for work queues (S-17). */
@Injectable()
export class SearchCounts {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly planner: SearchPlanner,
    private readonly database: SearchDatabase,
    private readonly admission: SearchAdmission,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Over what the caller may see, from one snapshot. All queries share the cost limit, turn and time of
   * one search. Throws as `SearchService.search` does.
   */
  async count(body: unknown, { caller, now, hungUp }: Searcher): Promise<Totals> {
    const queries = parseCountsRequest(body, dateReadingOf(this.config));
    const guard = await this.planner.guard(caller);
    const placed = queries.map((query, at) => ({ query, path: `queries[${at}].query` }));
    if (guard !== undefined) refuseSecuredIn(placed, [], guard);
    const { SEARCH_MAX_COST: most } = this.config;
    const width = requireAffordableTogether(placed, { most, name: 'SEARCH_MAX_COST' }, guard);
    const noteTotals = this.audit.counts(caller, body);

    const view = { now, sees: caller, guard };
    const counted = (
      planning: readonly InSnapshot<SearchPlan>[],
      signal: AbortSignal,
      suits: (plans: readonly SearchPlan[]) => boolean,
    ) =>
      derivedSnapshot(
        this.database,
        async (snapshot) => {
          const plans: SearchPlan[] = [];
          for (const planIn of planning) plans.push(await planIn(snapshot));
          if (!suits(plans)) return undefined;
          const found: number[] = [];
          for (const plan of plans) found.push((await runSearch(snapshot, plan)).total);
          return found;
        },
        signal,
      );
    const areLight = (plans: readonly SearchPlan[]): boolean => weightOfAll(width, plans) === 'light';
    const totals = await this.admission.run({ client: caller.subject, hungUp }, async ({ signal, inTurn }) => {
      const planning: InSnapshot<SearchPlan>[] = [];
      for (const query of queries)
        planning.push(await this.planner.plan({ query, sort: [], limit: 0, offset: 0 }, view, signal));
      const light =
        weightOfWidth(width) === 'light' ? await inTurn('light', () => counted(planning, signal, areLight)) : undefined;
      return light ?? (await inTurn('heavy', () => counted(planning, signal, () => true))) ?? [];
    });
    noteTotals?.(totals);
    return { totals };
  }
}
