import { Inject, Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import { reachOf } from '../../access/caller.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { SearchRequest } from '../../domain/search-request.js';
import { ServiceError } from '../../errors/service-error.js';
import { HierarchyCache } from '../../locations/hierarchy-cache.js';
import { compileExport } from './compile/compile-export.js';
import { compileSearch } from './compile/compile-search.js';
import type { SearchContext } from './compile/search-context.js';
import { unsupportedConditions } from './compile/unsupported-conditions.js';
import { exportRecords } from './export-records.js';
import { MAX_LISTED_FAULTS } from './request/bounds.js';
import { parseSearchRequest } from './request/parse-search-request.js';
import type { SearchResult } from './search.repository.js';
import { SearchRepository } from './search.repository.js';

@Injectable()
export class SearchService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly hierarchy: HierarchyCache,
    private readonly repository: SearchRepository,
    private readonly database: Database,
  ) {}

  /**
   * Runs the search that `body` asks for, over what the caller may see.
   * Throws 400 BAD_REQUEST with one issue per fault when the body is none that is served.
   */
  async search(body: unknown, caller: Caller, now: Date): Promise<SearchResult> {
    const request = this.parse(body);
    return this.repository.run(
      compileSearch(request, reachOf(caller, 'record.search'), this.context(now, caller.subject)),
    );
  }

  /**
   * Hands every record to `take`, or those that match the query of `body`, some hundred at a time; yields their number.
   * For the command line: nothing restricts what it sees. Throws 400 as `search` does.
   */
  async export(body: unknown, now: Date, take: (bodies: readonly string[]) => Promise<void>): Promise<number> {
    const query = body === undefined ? undefined : this.parse(body).query;
    let count = 0;
    await exportRecords(this.database, compileExport(query, this.context(now, 'cli')), async (bodies) => {
      count += bodies.length;
      await take(bodies);
    });
    return count;
  }

  private parse(body: unknown): SearchRequest {
    const request = parseSearchRequest(body, { maxLimit: this.config.SEARCH_MAX_LIMIT });
    const issues = unsupportedConditions(request).slice(0, MAX_LISTED_FAULTS);
    if (issues.length > 0) throw new ServiceError('BAD_REQUEST', 'Invalid input data', { issues });
    return request;
  }

  private context(now: Date, callerSubject: string): SearchContext {
    return {
      now,
      timezone: this.config.TIMEZONE,
      callerSubject,
      below: (location) => this.hierarchy.below(location),
    };
  }
}
