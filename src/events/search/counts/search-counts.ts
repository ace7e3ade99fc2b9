import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../../platform/config/config.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { SearchDatabase } from '../../../platform/database/replicas/search-database.js';
import { derivedSnapshot } from '../../index/derived-snapshot.js';
import { SearchAdmission } from '../admission/search-admission.js';
import { weightOfAll, weightOfWidth } from '../admission/search-weight.js';
import { findTheSame } from '../answer/find-the-same.js';
import { KnownOutdated } from '../answer/known-outdated.js';
import { runSearch } from '../answer/run-search.js';
import { requireAffordableTogether } from '../plan/require-affordable.js';
import type { SearchPlan } from '../plan/plan.js';
import { refuseSecuredIn } from '../request/refuse-secured.js';
import { type KindsOfValues, SearchContexts } from '../search-contexts.js';
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

    const view = { now, client: caller.subject, sees: caller, guard };
    const plans = async (signal: AbortSignal, kinds: KindsOfValues): Promise<readonly SearchPlan[]> => {
      const made: SearchPlan[] = [];
      // Compiling all at once would block the event loop.
      for (const query of queries)
        made.push(await this.planner.plan({ query, sort: [], limit: 0, offset: 0 }, view, signal, kinds));
      return made;
    };
    const byWidth = weightOfWidth(width);
    const totals = await this.admission.run({ client: caller.subject, hungUp }, async ({ signal, inTurn }) => {
      // Planned after the snapshot is taken; heavy work leaves a connection for the words.
      const inSnapshot = async (): Promise<readonly number[]> =>
        (await this.counted(() => plans(signal, 'read once'), signal)).map(({ total }) => total);
      if (byWidth !== 'light') return inTurn(byWidth, inSnapshot);
      const planned = await plans(signal, 'read now');
      const counted = await inTurn(weightOfAll(width, planned), () =>
        this.counted(() => Promise.resolve(planned), signal),
      );
      if (
        counted.every(({ isCurrent }) => isCurrent) ||
        (await findTheSame(planned, await plans(signal, 'read now'), signal))
      )
        return counted.map(({ total }) => total);
      return inTurn('heavy', inSnapshot);
    });
    noteTotals?.(totals);
    return { totals };
  }

  private counted(plans: () => Promise<readonly SearchPlan[]>, signal: AbortSignal): Promise<readonly Counted[]> {
    return derivedSnapshot(
      this.database,
      async (snapshot) => {
        const found: Counted[] = [];
        for (const plan of await plans()) found.push(await countedBy(plan, snapshot));
        return found;
      },
      signal,
    );
  }
}

interface Counted {
  readonly total: number;
  /** Whether its plan knew all words and kinds of values. */
  readonly isCurrent: boolean;
}

async function countedBy(plan: SearchPlan, snapshot: Queryable): Promise<Counted> {
  try {
    return { total: (await runSearch(snapshot, plan)).total, isCurrent: true };
  } catch (error) {
    if (!(error instanceof KnownOutdated)) throw error;
    return { total: error.found.total, isCurrent: false };
  }
}
