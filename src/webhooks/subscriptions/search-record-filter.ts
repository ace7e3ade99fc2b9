import { Inject, Injectable, Logger } from '@nestjs/common';
import type { RowFilter } from '../../kernel/domain/scopes/caller.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { factsOf } from '../../events/index/values/facts.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import { recordWithoutSecured, type SecuredFields } from '../../kernel/domain/secured-fields.js';
import type { Query } from '../../kernel/domain/search-request.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { requireAffordable } from '../../events/search/plan/require-affordable.js';
import {
  type Candidate,
  type CandidateTest,
  everyOf,
  type TestContext,
} from '../../events/search/evaluate/candidate.js';
import { testOfQuery } from '../../events/search/evaluate/test-of-query.js';
import { testOfRowFilter } from '../../events/search/evaluate/test-of-row-filter.js';
import { guardOf } from '../../events/search/request/guard.js';
import {
  type DateReading,
  dateReadingOf,
  parseSearchRequest,
} from '../../events/search/request/parse-search-request.js';
import { refuseSecured } from '../../events/search/request/refuse-secured.js';
import { type FilteredRecord, RecordFilter, type RecordTest, type Restriction } from './record-filter.js';

/** some 250 conditions of one term, or 20 us for a record. */
const FILTER_BOUND = { most: 500, name: 'a filter' };

@Injectable()
export class SearchRecordFilter extends RecordFilter {
  private readonly log = new Logger(SearchRecordFilter.name);
  private readonly context: TestContext;
  private readonly candidates = new WeakMap<FilteredRecord, Candidate>();
  private readonly withoutSecured = new WeakMap<EventRecord, EventRecord>();
  private readonly secured: SecuredFields;
  private readonly dates: DateReading;

  constructor(
    private readonly hierarchy: HierarchyCache,
    @Inject(CONFIG) config: Pick<Config, 'TIMEZONE' | 'eventConfiguration'>,
  ) {
    super();
    this.secured = config.eventConfiguration.secured;
    this.dates = dateReadingOf(config);
    this.context = { timezone: config.TIMEZONE, isWithin: (place, area) => hierarchy.isWithin(place, area) };
  }

  check(query: unknown, readable: RowFilter): void {
    const parsed = read(query, this.dates);
    const guard = guardOf(this.secured, readable);
    refuseSecured({ query: parsed }, guard, 'hub.query');
    requireAffordable(parsed, FILTER_BOUND, 'hub.query', guard);
  }

  ready(): Promise<void> {
    return this.hierarchy.current();
  }

  testOf({ query, rowFilter, readable, client }: Restriction): RecordTest {
    const isMet = everyOf([
      ...(query === null ? [] : [this.testOfQuery(query, readable, client)]),
      testOfRowFilter(rowFilter),
    ]);
    return (filtered) => isMet(this.candidateOf(filtered));
  }

  shown(filtered: FilteredRecord, readable: RowFilter): EventRecord {
    const { record } = filtered;
    if (!this.secured.has(record.type) || testOfRowFilter(readable)(this.candidateOf(filtered))) return record;
    const known = this.withoutSecured.get(record) ?? recordWithoutSecured(record, this.secured);
    this.withoutSecured.set(record, known);
    return known;
  }

  private testOfQuery(query: unknown, readable: RowFilter, client: string): CandidateTest {
    try {
      // Dates of stored filters were not always checked.
      const clauses = read(query, { timezone: this.context.timezone });
      const guard = guardOf(this.secured, readable);
      return testOfQuery(clauses, {
        ...this.context,
        guarded: guard && { guard, isRead: testOfRowFilter(guard.readable) },
      });
    } catch (error) {
      this.log.error(`client ${client} has a webhook whose query is not understood; it is sent nothing`, error);
      return () => false;
    }
  }

  private candidateOf(filtered: FilteredRecord): Candidate {
    const known = this.candidates.get(filtered);
    if (known !== undefined) return known;
    const { record, notifiedBy, now } = filtered;
    const candidate = { record, facts: factsOf(record.declaration), notifiedBy, nowMs: now.getTime() };
    this.candidates.set(filtered, candidate);
    return candidate;
  }
}

/** Throws 400 as a search would, with paths below `hub.query`. */
function read(query: unknown, dates: DateReading): Query {
  try {
    return parseSearchRequest({ query }, { maxLimit: 0, ...dates }).query;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const issues = error.issues.map(({ message }) => ({ message: `hub.${message}` }));
    throw new ServiceError(error.code, error.message, { issues, cause: error });
  }
}
