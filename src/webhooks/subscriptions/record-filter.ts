import { Inject, Injectable, Logger } from '@nestjs/common';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { factsOf } from '../../events/index/values/facts.js';
import { testOfQuery, testOfRowFilter } from '../../events/search/evaluate/test-of-query.js';
import {
  type Candidate,
  type CandidateTest,
  everyOf,
  type TestContext,
} from '../../events/search/evaluate/test-of-value.js';
import { requireAffordable } from '../../events/search/plan/cost.js';
import {
  type DateReading,
  dateReadingOf,
  parseSearchRequest,
} from '../../events/search/request/parse-search-request.js';
import { guardOf, refuseSecured } from '../../events/search/request/refuse-secured.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { RowFilter } from '../../kernel/domain/scopes/caller.js';
import type { Query } from '../../kernel/domain/search-request.js';
import { recordWithoutSecured, type SecuredFields } from '../../kernel/domain/secured-fields.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Config, CONFIG } from '../../platform/config/config.js';

/** Records must match the query and the client's scopes. */
export interface Restriction {
  /** `hub.query` as received; null means every record. */
  readonly query: unknown;
  readonly rowFilter: RowFilter;
  /** The records whose secured fields the client may learn (E-10). */
  readonly readable: RowFilter;
  readonly client: string;
}

/** After a change. Results for one restriction are memoized for the next. */
export interface FilteredRecord {
  readonly record: EventRecord;
  /** Scopes ask for it; undefined if nobody did. */
  readonly notifiedBy: string | undefined;
  /** The time of the transaction. */
  readonly now: Date;
}

/** Neither waits nor queries the database. */
export type RecordTest = (filtered: FilteredRecord) => boolean;

/** some 500 conditions of one term, or 40 us for a record. */
const FILTER_BOUND = { most: 500, name: 'a filter' };

/** Tests records as searches do, without the database. */
@Injectable()
export class RecordFilter {
  private readonly log = new Logger(RecordFilter.name);
  private readonly context: TestContext;
  private readonly candidates = new WeakMap<FilteredRecord, Candidate>();
  private readonly withoutSecured = new WeakMap<EventRecord, EventRecord>();
  private readonly secured: SecuredFields;
  private readonly dates: DateReading;

  constructor(
    private readonly hierarchy: HierarchyCache,
    @Inject(CONFIG) config: Pick<Config, 'TIMEZONE' | 'eventConfiguration'>,
  ) {
    this.secured = config.eventConfiguration.secured;
    this.dates = dateReadingOf(config);
    this.context = { timezone: config.TIMEZONE, isWithin: (place, area) => hierarchy.isWithin(place, area) };
  }

  /**
   * Throws 400 with one issue per fault, with paths below `hub.query`, also for excessive cost. Throws 403 for
   * secured fields if the client may read no record (E-10).
   */
  check(query: unknown, readable: RowFilter): void {
    const parsed = read(query, this.dates);
    const guard = guardOf(this.secured, readable);
    refuseSecured({ query: parsed }, guard, 'hub.query');
    requireAffordable(parsed, FILTER_BOUND, 'hub.query', guard);
  }

  /** Resolves when the caches of tests are up to date. */
  ready(): Promise<void> {
    return this.hierarchy.current();
  }

  /** A query that is not understood is met by no record. */
  testOf({ query, rowFilter, readable, client }: Restriction): RecordTest {
    const isMet = everyOf([
      ...(query === null ? [] : [this.testOfQuery(query, readable, client)]),
      testOfRowFilter(rowFilter),
    ]);
    return (filtered) => isMet(this.candidateOf(filtered));
  }

  /** Without secured fields (E-10); one object for all clients. */
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
