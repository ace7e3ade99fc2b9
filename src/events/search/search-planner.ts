import { Inject, Injectable } from '@nestjs/common';
import { HierarchyCache, inJurisdiction } from '../../auth/locations/hierarchy-cache.js';
import { type Caller, type RecordOptions, type RowFilter, rowFilterOf } from '../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import type { Clause, Condition, Query, SearchRequest } from '../../kernel/domain/search-request.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { DocumentFrequencies } from '../index/statistics/document-frequencies.js';
import { NO_WORDS } from '../index/terms/near-words.js';
import { readVocabulary } from '../index/terms/read-vocabulary.js';
import { KnownTerms } from '../index/terms/terms.js';
import { NO_SHAPES } from '../index/terms/vocabulary.js';
import { planOf, type SearchPlan, type Setting } from './plan/plan.js';
import { askedVocabulary } from './predicate/asked-vocabulary.js';
import { compileSearch } from './predicate/compile-search.js';
import { scopesThatHide } from './predicate/row-filter.js';
import { type SearchContext, TermRoom } from './predicate/search-context.js';
import { type Guard, guardOf } from './request/refuse-secured.js';

/** Needs no other connection: all may be held by snapshots. */
export type InSnapshot<T> = (snapshot: Queryable) => Promise<T>;

export interface View {
  readonly now: Date;
  readonly sees: Caller | 'everything';
  /** Absent if every field may be read (E-10). */
  readonly guard?: Guard | undefined;
}

type PlannerConfig = Pick<Config, 'TIMEZONE'> & {
  readonly eventConfiguration: Pick<Config['eventConfiguration'], 'secured'>;
};

/** Reads places, scopes and statistics first, and words in the snapshot. */
@Injectable()
export class SearchPlanner {
  /** A caller is one object per token (`VerifiedTokens`). */
  private readonly rowFilters = new WeakMap<Caller, Map<Permission, RowFilter>>();

  constructor(
    @Inject(CONFIG) private readonly config: PlannerConfig,
    @Inject(HierarchyCache) private readonly hierarchy: Pick<HierarchyCache, 'below' | 'ancestors' | 'current'>,
    @Inject(KnownTerms) private readonly terms: Pick<KnownTerms, 'current'>,
    @Inject(DocumentFrequencies) private readonly frequencies: Pick<DocumentFrequencies, 'current'>,
  ) {}

  /** Fails with the signal's reason. */
  async plan(request: SearchRequest, view: View, signal: AbortSignal): Promise<InSnapshot<SearchPlan>> {
    const setting = await this.setting(request.query, view, signal);
    return async (snapshot) => planIn(request, await setting(snapshot));
  }

  /** Without a query, every record is meant. Fails with the signal's reason. */
  async setting(
    query: Query | undefined,
    { now, sees, guard }: View,
    signal?: AbortSignal,
  ): Promise<InSnapshot<Setting>> {
    const contextIn = await this.contextOf(query, now);
    const rowFilter = sees === 'everything' ? sees : await this.reach(sees, 'record.search');
    const naming = sees === 'everything' ? undefined : await this.naming(sees, rowFilter);
    const cardinalities = await this.frequencies.current(signal);
    return async (snapshot) => ({
      context: { ...(await contextIn(snapshot)), guard, naming },
      rowFilter,
      cardinalities,
    });
  }

  /** With the places of the caller's office. */
  async reach(caller: Caller, permission: Permission): Promise<RowFilter> {
    const rowFilter = this.rowFilterOf(caller, permission);
    if (rowFilter === 'everything' || caller.office === undefined) return rowFilter;
    await this.hierarchy.current();
    return inJurisdiction(rowFilter, caller.office, this.hierarchy);
  }

  /**
   * The scopes by which a caller may know of records that a shown record names; undefined: all (E-9, E-10). The scopes
   * `reach` of the shown records decide if they ask for flags; otherwise any that reveals records.
   */
  async naming(caller: Caller, reach: RowFilter): Promise<readonly RecordOptions[] | undefined> {
    const hiding = scopesThatHide(reach);
    if (hiding !== undefined || reach === 'everything') return hiding;
    // A narrowed token shows nothing more.
    const holder = caller.narrowedFrom === undefined ? caller : { ...caller, ...caller.narrowedFrom };
    const all = await Promise.all(TELLING.map((one) => this.reach(holder, one)));
    return all.includes('everything') ? undefined : all.flatMap((each) => (each === 'everything' ? [] : each));
  }

  /** Undefined where no field is secured (E-10). */
  async guard(caller: Caller): Promise<Guard | undefined> {
    const { secured } = this.config.eventConfiguration;
    return secured.size === 0 ? undefined : guardOf(secured, await this.reach(caller, 'record.read'));
  }

  /**
   * Places are read first. Words and kinds of values come from the snapshot of the search, so that it finds everything
   * committed before it (S-14).
   */
  private async contextOf(query: Query | undefined, now: Date): Promise<InSnapshot<SearchContext>> {
    if (query !== undefined && has(ON_PLACES, query)) await this.hierarchy.current();
    const context = {
      now,
      timezone: this.config.TIMEZONE,
      below: (location: string) => this.hierarchy.below(location),
      terms: await this.terms.current(),
      dictionary: NO_WORDS,
      shapes: NO_SHAPES,
    };
    const asked = query && askedVocabulary(query);
    return async (snapshot) => ({
      ...context,
      ...(asked && (await readVocabulary(snapshot, asked))),
      room: new TermRoom(),
    });
  }

  private rowFilterOf(caller: Caller, permission: Permission): RowFilter {
    const ofCaller = this.rowFilters.get(caller) ?? new Map<Permission, RowFilter>();
    const known = ofCaller.get(permission);
    if (known !== undefined) return known;
    const rowFilter = rowFilterOf(caller, permission);
    this.rowFilters.set(caller, ofCaller.set(permission, rowFilter));
    return rowFilter;
  }
}

/** These reveal which records exist. */
const TELLING = ['record.read', 'record.search', 'record.review-duplicates'] as const satisfies readonly Permission[];

/** These need the hierarchy. */
const ON_PLACES: ReadonlySet<Condition['on']> = new Set(['data', 'anyField', 'location'] as const);

const has = (such: ReadonlySet<Condition['on']>, clause: Clause): boolean =>
  clause.kind === 'expression'
    ? clause.conditions.some(({ on }) => such.has(on))
    : clause.clauses.some((part) => has(such, part));

export const planIn = (request: SearchRequest, { context, rowFilter, cardinalities }: Setting): SearchPlan =>
  planOf(compileSearch(request, rowFilter, context), cardinalities);
