import { Inject, Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import { reachOf } from '../../access/caller.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Query, SearchRequest } from '../../domain/search-request.js';
import { HierarchyCache } from '../../locations/hierarchy-cache.js';
import { compileExport } from './compile/compile-export.js';
import { compileSearch } from './compile/compile-search.js';
import type { SearchContext } from './compile/search-context.js';
import { exportRecords } from './export-records.js';
import type { Known } from './fuzzy/dictionary-follower.js';
import { DictionaryFollower } from './fuzzy/dictionary-follower.js';
import { NO_WORDS } from './fuzzy/no-words.js';
import { hasData } from './has-data.js';
import { hasFuzzy } from './has-fuzzy.js';
import { DocumentFrequencies } from './plan/document-frequencies.js';
import { parseSearchRequest } from './request/parse-search-request.js';
import type { SearchResult } from './search.repository.js';
import { SearchRepository } from './search.repository.js';
import { NO_SHAPES } from './vocabulary/shapes.js';

@Injectable()
export class SearchService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly hierarchy: HierarchyCache,
    private readonly dictionary: DictionaryFollower,
    private readonly repository: SearchRepository,
    private readonly database: Database,
    private readonly frequencies: DocumentFrequencies,
  ) {}

  /**
   * Runs the search that `body` asks for, over what the caller may see.
   * Throws 400 BAD_REQUEST with one issue per fault when the body is none that is served.
   */
  async search(body: unknown, caller: Caller, now: Date): Promise<SearchResult> {
    const request = this.parse(body);
    const context = await this.context(request.query, now, caller.subject);
    return this.repository.run(compileSearch(request, reachOf(caller, 'record.search'), context));
  }

  /**
   * Hands every record to `take`, or those that match the query of `body`, some hundred at a time; yields their number.
   * For the command line: nothing restricts what it sees. Throws 400 as `search` does.
   */
  async export(body: unknown, now: Date, take: (bodies: readonly string[]) => Promise<void>): Promise<number> {
    const query = body === undefined ? undefined : this.parse(body).query;
    const context = await this.context(query, now, 'cli');
    let count = 0;
    await exportRecords(this.database, compileExport(query, context, this.frequencies.sizes), async (bodies) => {
      count += bodies.length;
      await take(bodies);
    });
    return count;
  }

  private parse(body: unknown): SearchRequest {
    return parseSearchRequest(body, { maxLimit: this.config.SEARCH_MAX_LIMIT });
  }

  private async context(query: Query | undefined, now: Date, callerSubject: string): Promise<SearchContext> {
    return {
      now,
      timezone: this.config.TIMEZONE,
      callerSubject,
      below: (location) => this.hierarchy.below(location),
      ...(await this.known(query)),
    };
  }

  private async known(query: Query | undefined): Promise<Known> {
    if (query === undefined || !hasData(query)) return { dictionary: NO_WORDS, shapes: NO_SHAPES };
    return hasFuzzy(query)
      ? this.dictionary.caughtUp()
      : { dictionary: NO_WORDS, shapes: await this.dictionary.shapes() };
  }
}
