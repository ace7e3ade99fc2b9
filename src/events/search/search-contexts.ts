import { Inject, Injectable } from '@nestjs/common';
import { type Caller, type RecordOptions, type RowFilter, rowFilterOf } from '../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { DictionaryFollower, type Known } from '../index/near-words/dictionary-follower.js';
import { NO_WORDS } from '../index/near-words/fuzzy-dictionary.js';
import { KnownTerms } from '../index/terms/known-terms.js';
import { NO_SHAPES } from '../index/terms/shapes.js';
import type { Clause, Condition, Query } from '../../kernel/domain/search-request.js';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { inJurisdiction } from '../../auth/locations/hierarchy.js';
import { asksForWords } from './predicate/any-field.js';
import { prepared } from './predicate/prepared.js';
import { scopesThatHide } from './predicate/row-filter.js';
import type { SearchContext } from './predicate/search-context.js';
import { type Guard, guardOf } from './request/guard.js';
import { hasFuzzy } from './request/has-fuzzy.js';

/**
 * `read now`: words and kinds of values are read before compiling. `as read`: cached kinds are used where no words are
 * needed. The statement checks both (S-14). `read once`: unchecked, since the search is planned after its snapshot, or
 * only once.
 */
export type KindsOfValues = 'read now' | 'as read' | 'read once';

@Injectable()
export class SearchContexts {
  /** A caller is one object per token (`VerifiedTokens`). */
  private readonly rowFilters = new WeakMap<Caller, Map<Permission, RowFilter>>();

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'TIMEZONE' | 'eventConfiguration'>,
    private readonly hierarchy: HierarchyCache,
    private readonly dictionary: DictionaryFollower,
    private readonly terms: KnownTerms,
  ) {}

  /**
   * Includes everything committed before (S-14). Slow results are computed in turns of the `client`. Fails with the
   * signal's reason.
   */
  async of(
    query: Query | undefined,
    now: Date,
    client: string,
    signal: AbortSignal | undefined,
    kinds: KindsOfValues,
  ): Promise<SearchContext> {
    if (query !== undefined && has(ON_PLACES, query)) await this.hierarchy.current();
    const context = {
      now,
      timezone: this.config.TIMEZONE,
      below: (location: string) => this.hierarchy.below(location),
      terms: await this.terms.current(),
      ...(await this.known(query, signal, kinds)),
    };
    // Only conditions on the declaration take long.
    return query === undefined || !has(ON_DECLARATION, query) ? context : prepared(query, context, signal, client);
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

  private rowFilterOf(caller: Caller, permission: Permission): RowFilter {
    const ofCaller = this.rowFilters.get(caller) ?? new Map<Permission, RowFilter>();
    const known = ofCaller.get(permission);
    if (known !== undefined) return known;
    const rowFilter = rowFilterOf(caller, permission);
    this.rowFilters.set(caller, ofCaller.set(permission, rowFilter));
    return rowFilter;
  }

  private async known(
    query: Query | undefined,
    signal: AbortSignal | undefined,
    kinds: KindsOfValues,
  ): Promise<Pick<SearchContext, 'dictionary' | 'shapes' | 'readBefore'>> {
    if (query === undefined || !has(ON_DECLARATION, query)) return { dictionary: NO_WORDS, shapes: NO_SHAPES };
    const { reading, ...known } = await this.read(query, signal, kinds);
    return { ...known, readBefore: kinds === 'read once' ? undefined : reading };
  }

  private async read(query: Query, signal: AbortSignal | undefined, kinds: KindsOfValues): Promise<Known> {
    if (hasFuzzy(query)) return this.dictionary.caughtUp(signal);
    if (kinds !== 'as read' || this.dictionary.shapesAsRead() === undefined) await this.dictionary.shapes(signal);
    const asRead = this.dictionary.shapesAsRead();
    return asRead === undefined || asksForWords(query, asRead.shapes)
      ? this.dictionary.caughtUp(signal)
      : { dictionary: NO_WORDS, ...asRead };
  }
}

/** These reveal which records exist. */
const TELLING = ['record.read', 'record.search', 'record.review-duplicates'] as const satisfies readonly Permission[];

const ON_DECLARATION: ReadonlySet<Condition['on']> = new Set(['data', 'anyField'] as const);

/** These need the hierarchy. */
const ON_PLACES: ReadonlySet<Condition['on']> = new Set([...ON_DECLARATION, 'location'] as const);

const has = (such: ReadonlySet<Condition['on']>, clause: Clause): boolean =>
  clause.kind === 'expression'
    ? clause.conditions.some(({ on }) => such.has(on))
    : clause.clauses.some((part) => has(such, part));
