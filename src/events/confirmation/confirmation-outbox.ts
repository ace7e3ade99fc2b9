import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { CORRELATION_ID, type CorrelationId } from '../../auth/access/request-target.js';
import { Announcements } from '../../platform/database/pools/announcements.js';
import type { ConfirmationStatus } from './confirmation-status.js';
import { Outgoing, type OutgoingAction, type SettledAction } from '../write/acceptance.js';

/** Writes the outbox of requested actions, in the transactions that write the events (E-7). */
@Injectable()
export class ConfirmationOutbox extends Outgoing implements OnModuleDestroy {
  private readonly due: Announcements;
  private readonly settled: Announcements;

  constructor(
    database: Database,
    @Optional() @Inject(CORRELATION_ID) private readonly correlationId: CorrelationId = () => undefined,
  ) {
    super();
    this.due = new Announcements(database, 'confirmation_due');
    this.settled = new Announcements(database, 'confirmation_settled');
  }

  async write(transaction: Queryable, actions: readonly OutgoingAction[]): Promise<void> {
    const ownId = this.correlationId() ?? randomUUID();
    await transaction.query(sql`
      insert into confirmation (action_id, event_id, event_type, action_type, correlation_id, status, next_attempt_at)
      select new.action_id, event.id, event.type, new.action_type, new.correlation_id, 'pending', now()
        from unnest(${actions.map(({ action }) => action.id)}::uuid[], ${idsOf(actions)}::uuid[],
                    ${actions.map(({ action }) => action.type)}::text[],
                    ${actions.map(({ correlationId }) => correlationId ?? ownId)}::text[])
               with ordinality as new (action_id, event_id, action_type, correlation_id, ordinal)
        join event on event.id = new.event_id
       order by new.ordinal`);
  }

  async settle(transaction: Queryable, settled: readonly SettledAction[]): Promise<void> {
    await transaction.query(sql`
      update confirmation c set status = new.status, settled_at = now(), next_attempt_at = null
        from unnest(${settled.map(({ actionId }) => actionId)}::uuid[],
                    ${settled.map(({ status }) => STATUSES[status])}::text[])
               as new (action_id, status)
       where c.action_id = new.action_id`);
  }

  announce(): void {
    this.due.announce();
  }

  announceSettled(): void {
    this.settled.announce();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.due.end(), this.settled.end()]);
  }
}

const STATUSES = { Accepted: 'accepted', Rejected: 'rejected', Deleted: 'over' } as const satisfies Record<
  SettledAction['status'],
  ConfirmationStatus
>;

const idsOf = (actions: readonly OutgoingAction[]): readonly Uuid[] => actions.map(({ eventId }) => eventId);
