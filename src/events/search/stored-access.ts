import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { Database } from '../../platform/database/pools/database.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { readEvent } from '../records/stored-projection.js';
import { WholeEvents } from '../records/whole-events.js';
import { sql } from '../../kernel/sql/sql.js';
import { compileRecheck } from './predicate/compile-filter.js';
import { allOfParts, anyOfParts, type Predicate } from './predicate/predicate.js';
import { predicateOfRowFilter } from './predicate/row-filter.js';
import { type CoveredRecords, eventNotFound, RecordAccess } from './record-access.js';

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
