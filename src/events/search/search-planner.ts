import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { DocumentFrequencies } from '../index/statistics/document-frequencies.js';
import type { Query, SearchRequest } from '../../kernel/domain/search-request.js';
import { planOf, type SearchPlan, type Setting } from './plan/plan.js';
import { compileSearch } from './predicate/compile-search.js';
import type { Guard } from './request/refuse-secured.js';
import { type InSnapshot, SearchContexts } from './search-contexts.js';

export interface View {
  readonly now: Date;
  readonly sees: Caller | 'everything';
  /** Absent if every field may be read (E-10). */
  readonly guard?: Guard | undefined;
}

/** Reads places and statistics first, and words in the snapshot. Fails with the signal's reason. */
@Injectable()
export class SearchPlanner {
  constructor(
    private readonly contexts: SearchContexts,
    private readonly frequencies: DocumentFrequencies,
  ) {}

  async plan(request: SearchRequest, view: View, signal: AbortSignal): Promise<InSnapshot<SearchPlan>> {
    const setting = await this.setting(request.query, view, signal);
    return async (snapshot) => planIn(request, await setting(snapshot));
  }

  /** Without a query, every record is meant. */
  async setting(
    query: Query | undefined,
    { now, sees, guard }: View,
    signal?: AbortSignal,
  ): Promise<InSnapshot<Setting>> {
    const contextIn = await this.contexts.of(query, now);
    const rowFilter = sees === 'everything' ? sees : await this.contexts.reach(sees, 'record.search');
    const naming = sees === 'everything' ? undefined : await this.contexts.naming(sees, rowFilter);
    const cardinalities = await this.frequencies.current(signal);
    return async (snapshot) => ({
      context: { ...(await contextIn(snapshot)), guard, naming },
      rowFilter,
      cardinalities,
    });
  }
}

export const planIn = (request: SearchRequest, { context, rowFilter, cardinalities }: Setting): SearchPlan =>
  planOf(compileSearch(request, rowFilter, context), cardinalities);
