import { Inject, Injectable } from '@nestjs/common';
import { hidingFlagsFor } from '../../auth/access/covers.js';
import { HierarchyCache, inJurisdiction } from '../../auth/locations/hierarchy-cache.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { type Caller, type Intent, type RowFilter, rowFilterOf } from '../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { Database } from '../../platform/database/pools/database.js';
import { factsOf } from '../index/values/facts.js';
import type { ProjectedEvent } from '../records/project-event.js';
import { readEvent, WholeEvents } from '../records/stored-events.js';
import { testOfRowFilter } from './evaluate/test-of-query.js';
import type { Candidate } from './evaluate/test-of-value.js';
import { allOfParts, anyOfParts, compileRecheck, type Predicate } from './predicate/predicate.js';
import { predicateOfRowFilter } from './predicate/row-filter.js';

/** `current` refreshes the hierarchy; absent for places that never change. */
type Places = Pick<HierarchyCache, 'below' | 'ancestors'> & Partial<Pick<HierarchyCache, 'current'>>;

export interface CoveredRecords {
  readonly rowFilter: RowFilter;
  readonly hiding: readonly string[];
}

/**
 * As in searches. An operation on a record that is not covered, or hidden (E-10), answers as if it did not
 * exist.
 */
@Injectable()
export class RecordAccess {
  constructor(@Inject(HierarchyCache) private readonly places: Places) {}

  /** Must be awaited before asking: refreshes the place of a user's office. */
  async current({ office }: Pick<Caller, 'office'>): Promise<void> {
    if (office !== undefined) await this.places.current?.();
  }

  /** `event` is computed only if needed. */
  covers(
    caller: Caller,
    permissions: readonly Permission[],
    event: ProjectedEvent | (() => ProjectedEvent),
    intent?: Intent,
  ): boolean {
    const grants = this.coveredBy(caller, permissions, intent);
    if (grants.some(({ rowFilter, hiding }) => rowFilter === 'everything' && hiding.length === 0)) return true;
    const { record, notified } = typeof event === 'function' ? event() : event;
    const candidate: Candidate = {
      record,
      // Scopes ask for nothing in the declaration.
      get facts() {
        return factsOf(record.declaration);
      },
      notifiedBy: notified?.createdBy,
      notifiedIn: notified?.createdAtLocation,
      nowMs: 0,
    };
    return grants.some(
      ({ rowFilter, hiding }) =>
        !hiding.some((flag) => record.flags.includes(flag)) && testOfRowFilter(rowFilter)(candidate),
    );
  }

  coveredBy(caller: Caller, permissions: readonly Permission[], intent?: Intent): readonly CoveredRecords[] {
    return permissions.map((permission) => ({
      rowFilter: inJurisdiction(rowFilterOf(caller, permission, intent), caller.office, this.places),
      hiding: hidingFlagsFor(caller, permission),
    }));
  }

  /** Throws the 404 of a missing record if no permission covers it. */
  require(caller: Caller, permissions: readonly Permission[], event: ProjectedEvent): void {
    if (!this.covers(caller, permissions, event)) throw eventNotFound(event.record.id);
  }
}

/** Also for an event that the caller may not know of. */
export const eventNotFound = (id: string): ServiceError =>
  new ServiceError('NOT_FOUND', `Event not found with ID: ${id}`);

/** Reads the row of the record, not the event. A draft has no such row, and is read in its turn. */
@Injectable()
export class StoredAccess {
  constructor(
    private readonly database: Database,
    private readonly access: RecordAccess,
    private readonly events: WholeEvents,
    private readonly configuration: EventConfiguration,
  ) {}

  /** False also if there is no such event. */
  async covers(caller: Caller, permissions: readonly Permission[], id: Uuid): Promise<boolean> {
    await this.access.current(caller);
    const covered = anyOfParts(this.access.coveredBy(caller, permissions).map(predicateOf));
    const [event] = await this.database.query<{ readonly isDraft: boolean; readonly isCovered: boolean }>(sql`
      select event.is_draft as "isDraft", s.seq is not null and (${compileRecheck(covered)}) is true as "isCovered"
        from event left join event_search s using (seq) where event.id = ${id}`);
    return event?.isDraft === true ? this.coversDraft(caller, permissions, id) : event?.isCovered === true;
  }

  /** Throws the 404 of a missing event unless one of the permissions covers it. */
  async require(caller: Caller, permissions: readonly Permission[], id: Uuid): Promise<void> {
    if (!(await this.covers(caller, permissions, id))) throw eventNotFound(id);
  }

  private coversDraft(caller: Caller, permissions: readonly Permission[], id: Uuid): Promise<boolean> {
    return this.events.reading([id], { client: caller.subject }, async () => {
      const draft = await readEvent(this.database, id, this.configuration);
      return draft !== undefined && this.access.covers(caller, permissions, draft);
    });
  }
}

const predicateOf = ({ rowFilter, hiding }: CoveredRecords): Predicate =>
  allOfParts([
    predicateOfRowFilter(rowFilter === 'everything' ? [{}] : rowFilter),
    predicateOfRowFilter([{ flags: { noneOf: hiding } }]),
  ]);
