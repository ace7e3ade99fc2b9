import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { SearchTurn } from '../index/near-words/search-turn.js';
import { DocumentFrequencies } from '../index/statistics/document-frequencies.js';
import type { Query, SearchRequest } from '../../kernel/domain/search-request.js';
import { planOf, type SearchPlan } from './plan/plan.js';
import type { Setting } from './plan/setting.js';
import { compileSearch } from './predicate/compile-search.js';
import type { Guard } from './request/guard.js';
import { type KindsOfValues, SearchContexts } from './search-contexts.js';

export interface View {
  readonly now: Date;
  /** Words are looked up in this client's turn. */
  readonly client: string;
  readonly sees: Caller | 'everything';
  /** Absent if every field may be read (E-10). */
  readonly guard?: Guard | undefined;
}

/** Uses current words, places and statistics. Fails with the signal's reason. */
@Injectable()
export class SearchPlanner {
  constructor(
    private readonly contexts: SearchContexts,
    private readonly frequencies: DocumentFrequencies,
  ) {}

  async plan(request: SearchRequest, view: View, signal: AbortSignal, kinds: KindsOfValues): Promise<SearchPlan> {
    const setting = await this.setting(request.query, view, signal, kinds);
    const turn = new SearchTurn(signal);
    const plan = planIn(request, setting);
    // The caller compiles the statement next, which is another long piece.
    await turn.nextIfOver();
    return plan;
  }

  /** Without a query, every record is meant. */
  async setting(
    query: Query | undefined,
    { now, client, sees, guard }: View,
    signal?: AbortSignal,
    kinds: KindsOfValues = 'read once',
  ): Promise<Setting> {
    const known = await this.contexts.of(query, now, client, signal, kinds);
    const rowFilter = sees === 'everything' ? sees : await this.contexts.reach(sees, 'record.search');
    const naming = sees === 'everything' ? undefined : await this.contexts.naming(sees, rowFilter);
    return {
      context: { ...known, guard, naming },
      rowFilter,
      cardinalities: await this.frequencies.current(signal),
    };
  }
}

export const planIn = (request: SearchRequest, { context, rowFilter, cardinalities }: Setting): SearchPlan =>
  planOf(compileSearch(request, rowFilter, context), cardinalities);
