import { Inject, Injectable } from '@nestjs/common';
import type { Clause, Condition, DataInput, SearchRequest } from '../../kernel/domain/search-request.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { SearchDatabase } from '../../platform/database/pools/search-database.js';
import { derivedSnapshot } from '../index/derived-snapshot.js';
import type { NearWord } from '../index/terms/near-words.js';
import type { Cardinalities } from '../index/statistics/cardinalities.js';
import { type DataPath, fieldOf, memberOf } from '../index/values/data-path.js';
import { cutsOf, runsIn } from '../index/values/fold.js';
import { SearchAdmission, weightOf } from './search-admission.js';
import { runSearch } from './answer/run-search.js';
import { requireAffordable } from './plan/cost.js';
import { estimate, type SearchPlan, TWO_PHASE_FROM } from './plan/plan.js';
import { nearRunInside } from './predicate/fuzzy.js';
import { allOfParts, anyOfParts, leavesOf, type Predicate } from './predicate/predicate.js';
import { predicateOfCondition } from './predicate/query.js';
import type { SearchContext } from './predicate/search-context.js';
import { dateReadingOf, parseSearchRequest } from './request/parse-search-request.js';
import { planIn, SearchPlanner } from './search-planner.js';
import type { Searcher } from './search.service.js';

interface ExplainedWord {
  readonly word: string;
  /** At most a hundred, nearest first. */
  readonly near: readonly NearWord[];
}

const MOST_LISTED = 100;

/** Includes joins that find some. */
function explainWords(condition: Condition, context: SearchContext): readonly ExplainedWord[] {
  if (condition.on === 'data') {
    return condition.members.flatMap(({ key, input }) => wordsOfField(input, fieldOf(key), context));
  }
  if (condition.on !== 'anyField' || condition.condition.type !== 'fuzzy') return [];
  return explained(condition.condition.term, (run) => context.dictionary.inEachField(run).words);
}

function wordsOfField(input: DataInput, field: DataPath, context: SearchContext): readonly ExplainedWord[] {
  if (input.type === 'fuzzy') return explained(input.term, (run) => context.dictionary.at(field, run));
  return input.type === 'map' ? wordsInside(input, field, field, context) : [];
}

function wordsInside(
  input: DataInput,
  field: DataPath,
  path: DataPath,
  context: SearchContext,
): readonly ExplainedWord[] {
  if (input.type === 'fuzzy') {
    return explained(input.term, (run) => nearRunInside(run, { kind: 'inside', field, path }, context));
  }
  return input.type === 'map'
    ? input.members.flatMap((member) => wordsInside(member.input, field, memberOf(path, member.key), context))
    : [];
}

function explained(term: string, nearOf: (run: string) => readonly NearWord[]): readonly ExplainedWord[] {
  const cuts = cutsOf(term);
  return runsIn(cuts)
    .map((word) => ({
      word,
      near: nearOf(word)
        .toSorted((one, other) => one.edits - other.edits)
        .slice(0, MOST_LISTED),
    }))
    .filter(({ word, near }) => near.length > 0 || cuts.words.includes(word));
}

export type ExplainedClause =
  | { readonly kind: 'and' | 'or'; readonly estimate: number; readonly clauses: readonly ExplainedClause[] }
  | { readonly kind: 'expression'; readonly estimate: number; readonly conditions: readonly ExplainedCondition[] };

interface ExplainedCondition {
  readonly condition: Condition;
  readonly estimate: number;
  readonly findable: boolean;
  readonly readsDocuments: boolean;
  /** Only for a fuzzy condition. */
  readonly words?: readonly ExplainedWord[];
}

interface Explained<T> {
  readonly explained: T;
  readonly predicate: Predicate;
}

export function explainClause(
  clause: Clause,
  context: SearchContext,
  cardinalities: Cardinalities,
): Explained<ExplainedClause> {
  if (clause.kind === 'expression') {
    const parts = clause.conditions.map((condition) => explainCondition(condition, context, cardinalities));
    const predicate = allOfParts(parts.map((part) => part.predicate));
    const conditions = parts.map(({ explained }) => explained);
    return { explained: { kind: 'expression', estimate: rounded(predicate, cardinalities), conditions }, predicate };
  }
  const parts = clause.clauses.map((inner) => explainClause(inner, context, cardinalities));
  const predicates = parts.map((part) => part.predicate);
  const predicate = clause.kind === 'and' ? allOfParts(predicates) : anyOfParts(predicates);
  const clauses = parts.map(({ explained }) => explained);
  return { explained: { kind: clause.kind, estimate: rounded(predicate, cardinalities), clauses }, predicate };
}

function explainCondition(
  condition: Condition,
  context: SearchContext,
  cardinalities: Cardinalities,
): Explained<ExplainedCondition> {
  const predicate = predicateOfCondition(condition, context);
  const words = explainWords(condition, context);
  const explained = {
    condition,
    estimate: rounded(predicate, cardinalities),
    findable: predicate.isFindable,
    readsDocuments: readsDocuments(predicate),
    ...(words.length > 0 && { words }),
  };
  return { explained, predicate };
}

const readsDocuments = (predicate: Predicate): boolean =>
  leavesOf(predicate).some((leaf) => leaf.kind === 'data' && !leaf.decides);

const rounded = (predicate: Predicate, cardinalities: Cardinalities): number =>
  Math.round(estimate(predicate, cardinalities));

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
      const { explained: query } = explainClause(request.query, setting.context, setting.cardinalities);
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
          read: toMicroseconds(read - began),
          compile: toMicroseconds(compiled - read),
          run: toMicroseconds(reader.statements.reduce((sum, { ms }) => sum + ms, 0)),
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

const toMicroseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000;
