import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../../platform/config/config.js';
import { SearchDatabase } from '../../../platform/database/replicas/search-database.js';
import { derivedSnapshot } from '../../index/derived-snapshot.js';
import { SearchAdmission } from '../admission/search-admission.js';
import { weightOfAll, weightOfWidth } from '../admission/search-weight.js';
import { runSearch } from '../answer/run-search.js';
import { requireAffordableTogether } from '../plan/require-affordable.js';
import type { SearchPlan } from '../plan/plan.js';
import { refuseSecuredIn } from '../request/refuse-secured.js';
import { type InSnapshot, SearchContexts } from '../search-contexts.js';
import { SearchPlanner } from '../search-planner.js';
import type { Searcher } from '../search.service.js';
import { dateReadingOf } from '../request/parse-search-request.js';
import { parseCountsRequest } from './parse-counts-request.js';

/** In the order of the request. */
export interface Totals {
  readonly totals: readonly number[];
}

/** Totals of one moment, for work queues (S-17). */
@Injectable()
export class SearchCounts {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly contexts: SearchContexts,
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
    const guard = await this.contexts.guard(caller);
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
