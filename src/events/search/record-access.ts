import { Inject, Injectable } from '@nestjs/common';
import { type Caller, type Intent, type RowFilter, rowFilterOf } from '../../kernel/domain/scopes/caller.js';
import { hidingFlagsFor } from '../../auth/access/hiding-flags.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { factsOf } from '../index/values/facts.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { inJurisdiction } from '../../auth/locations/jurisdiction.js';
import type { ProjectedEvent } from '../records/project/project-event.js';
import type { Candidate } from './evaluate/candidate.js';
import { testOfRowFilter } from './evaluate/test-of-row-filter.js';

/** The hierarchy of places; `current` brings it up to date, and is absent for places that never change. */
type Places = Pick<HierarchyCache, 'below' | 'ancestors'> & Partial<Pick<HierarchyCache, 'current'>>;

/** The records that a permission of a caller covers: those with one of the flags are hidden from him. */
export interface CoveredRecords {
  readonly rowFilter: RowFilter;
  readonly hiding: readonly string[];
}

/**
 * Whether the scopes of a caller cover one record, exactly as they do in searches: an operation on a record that
 * they do not cover answers as if it did not exist, and so does one on a record that is hidden from the caller (E-10).
 */
@Injectable()
export class RecordAccess {
  constructor(@Inject(HierarchyCache) private readonly places: Places) {}

  /** Await before asking: a user's office then lies where the database has it now. */
  async current({ office }: Pick<Caller, 'office'>): Promise<void> {
    if (office !== undefined) await this.places.current?.();
  }

  /** Whether one of the permissions covers the record; `event` is computed only if that depends on it. */
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

  /** What each of the permissions covers. */
  coveredBy(caller: Caller, permissions: readonly Permission[], intent?: Intent): readonly CoveredRecords[] {
    return permissions.map((permission) => ({
      rowFilter: inJurisdiction(rowFilterOf(caller, permission, intent), caller.office, this.places),
      hiding: hidingFlagsFor(caller, permission),
    }));
  }

  /** Throws the 404 of a record that does not exist if none of the permissions covers the record. */
  require(caller: Caller, permissions: readonly Permission[], event: ProjectedEvent): void {
    if (!this.covers(caller, permissions, event)) throw eventNotFound(event.record.id);
  }
}

/** The answer for an event that does not exist, or that the caller may not know of. */
export const eventNotFound = (id: string): ServiceError =>
  new ServiceError('NOT_FOUND', `Event not found with ID: ${id}`);
