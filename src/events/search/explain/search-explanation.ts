import { Inject, Injectable } from '@nestjs/common';
import type { SearchRequest } from '../../../kernel/domain/search-request.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../../platform/config/config.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { SearchDatabase } from '../../../platform/database/replicas/search-database.js';
import { stepwise } from '../../../platform/queue/time-slice.js';
import { derivedSnapshot } from '../../index/derived-snapshot.js';
import { SearchAdmission } from '../admission/search-admission.js';
import { weightOf } from '../admission/search-weight.js';
import { runSearch } from '../answer/run-search.js';
import { type SearchPlan, TWO_PHASE_FROM } from '../plan/plan.js';
import { requireAffordable } from '../plan/require-affordable.js';
import { dateReadingOf, parseSearchRequest } from '../request/parse-search-request.js';
import { planIn, SearchPlanner } from '../search-planner.js';
import type { Searcher } from '../search.service.js';
import { explainClause, type ExplainedClause } from './explained-query.js';

interface ExplainedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly rows: number;
  readonly ms: number;
  /** The output of `explain (analyze, buffers, format json)`, from a second execution. */
  readonly plan: unknown;
}

class ExplainingReader implements Queryable {
  readonly statements: ExplainedStatement[] = [];

  constructor(private readonly snapshot: Queryable) {}

  async query<Row>(statement: Sql): Promise<Row[]> {
    const began = performance.now();
    const rows = await this.snapshot.query<Row>(statement);
    const ms = performance.now() - began;
    const [explained] = await this.snapshot.query<{ readonly 'QUERY PLAN': unknown }>(
      sql`explain (analyze, buffers, format json) ${statement}`,
    );
    const { text, params } = statement.toQuery();
    this.statements.push({
      sql: text,
      parameters: params.map(asJson),
      rows: rows.length,
      ms: Math.round(ms * 1_000) / 1_000,
      plan: explained?.['QUERY PLAN'],
    });
    return rows;
  }
}

/** A list of terms becomes its length: terms exceed the numbers of JSON. */
function asJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!Array.isArray(value)) return value;
  const isOfTerms = value.length > FEW_TERMS && value.every((item) => typeof item === 'bigint');
  return isOfTerms ? `${value.length} terms` : value.map(asJson);
}

const FEW_TERMS = 4;

/** Sizes are in records, times in milliseconds. */
export interface Explanation {
  readonly total: number;
  readonly plan: {
    readonly kind: SearchPlan['kind'];
    readonly why: string;
    readonly estimate: number;
    readonly heavy: boolean;
  };
  readonly query: ExplainedClause;
  /** read: parsing, and resolving words and places. compile: the plan and its first statement. */
  readonly ms: { readonly read: number; readonly compile: number; readonly run: number };
  readonly statements: readonly ExplainedStatement[];
}

/** For administrators (S-15). */
@Injectable()
export class SearchExplanation {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly planner: SearchPlanner,
    private readonly database: SearchDatabase,
    private readonly admission: SearchAdmission,
  ) {}

  /** Runs in its turn and within a search's time. Throws 400 and 503 as a search does. */
  async explain(body: unknown, asker: Searcher): Promise<Explanation> {
    const request = parseSearchRequest(body, {
      maxLimit: this.config.SEARCH_MAX_LIMIT,
      ...dateReadingOf(this.config),
    });
    const { SEARCH_MAX_COST: most } = this.config;
    const width = requireAffordable(request.query, { most, name: 'SEARCH_MAX_COST' });
    return this.admission.run({ client: asker.caller.subject, hungUp: asker.hungUp }, ({ signal, inTurn }) =>
      inTurn('heavy', () => this.explained(request, width, asker, signal)),
    );
  }

  private async explained(
    request: SearchRequest,
    width: number,
    { caller, now }: Searcher,
    signal: AbortSignal,
  ): Promise<Explanation> {
    const settingIn = await this.planner.setting(request.query, { now, sees: caller }, signal);
    const explained = async (snapshot: Queryable): Promise<Explanation> => {
      const began = performance.now();
      const setting = await settingIn(snapshot);
      const read = performance.now();
      const plan = planIn(request, setting);
      const compiled = performance.now();
      const reader = new ExplainingReader(snapshot);
      const { total } = await runSearch(reader, plan);
      const { explained: query } = await stepwise(explainClause(request.query, setting.context, setting.cardinalities));
      return {
        total,
        plan: {
          kind: plan.kind,
          why: WHY[plan.kind],
          estimate: Math.round(plan.matches),
          heavy: weightOf(width, plan) !== 'light',
        },
        query,
        ms: {
          read: rounded(read - began),
          compile: rounded(compiled - read),
          run: rounded(reader.statements.reduce((sum, { ms }) => sum + ms, 0)),
        },
        statements: reader.statements,
      };
    };
    return derivedSnapshot(this.database, explained, signal);
  }
}

const WHY = {
  'single-statement': `no more than ${TWO_PHASE_FROM} records are expected to match, or all of them have to be found for their order, so that one statement finds them`,
  'two-phase': `more than ${TWO_PHASE_FROM} records are expected to match, or fewer that bitmaps can count, so that they are counted without being fetched and the page is read along an index, where that can be`,
};

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;
