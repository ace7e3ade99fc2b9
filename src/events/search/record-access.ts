import { Inject, Injectable } from '@nestjs/common';
import { type Caller, type Intent, type RowFilter, rowFilterOf } from '../../kernel/domain/scopes/caller.js';
import { hidingFlagsFor } from '../../auth/access/covers.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { factsOf } from '../index/values/facts.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { inJurisdiction } from '../../auth/locations/hierarchy.js';
import type { ProjectedEvent } from '../records/project/project-event.js';
import type { Candidate } from './evaluate/candidate.js';
import { testOfRowFilter } from './evaluate/test-of-row-filter.js';

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
