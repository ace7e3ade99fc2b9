import { Injectable } from '@nestjs/common';

import type { Actor } from '../../../audit/audit-entry.js';
import { AuditLog } from '../../../audit/audit-log.js';
import { Database } from '../../../database/pools/database.js';
import type { ActionType } from '../../../domain/record/event-action.js';
import type { Uuid } from '../../../domain/uuid.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import type { AttemptView } from '../../../webhooks/delivery-log/delivery-log.js';
import { attemptsOf, attemptViews } from '../../../webhooks/delivery-log/delivery-log.js';
import { ConfirmationOutbox } from '../outgoing/confirmation-outbox.js';
import type { ConfirmationStatus } from './confirmation-status.js';
import { UNANSWERED } from './confirmation-status.js';
import type { ConfirmationReplayDto, ConfirmationsQueryDto } from './confirmations.dto.js';
import { writeCursor } from './confirmations.dto.js';

/** A requested action, as far as its confirmation goes, with all attempts. */
export interface ConfirmationView {
  readonly actionId: Uuid;
  readonly eventId: Uuid;
  readonly eventType: string;
  readonly actionType: ActionType;
  readonly status: ConfirmationStatus;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly AttemptView[];
}

/** A page of confirmations, newest first. */
export interface ConfirmationPage {
  readonly confirmations: readonly ConfirmationView[];
  /** For the next page; null if there is none. */
  readonly cursor: string | null;
}

interface ConfirmationRow extends Omit<ConfirmationView, 'createdAt' | 'nextAttemptAt'> {
  readonly position: string;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
}

/** What became of requested actions, and their replay (E-15). */
@Injectable()
export class ConfirmationLog {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly outbox: ConfirmationOutbox,
  ) {}

  /** Confirmations, newest first. */
  async page({ status, limit, cursor }: Readonly<ConfirmationsQueryDto>): Promise<ConfirmationPage> {
    const rows = await this.database.query<ConfirmationRow>(sql`
      select action_id as "actionId", event_id as "eventId", event_type as "eventType", action_type as "actionType",
             status, position, created_at as "createdAt", next_attempt_at as "nextAttemptAt",
             ${attemptsOf(sql`confirmation_attempt a where a.action_id = c.action_id`)} as attempts
        from confirmation c
       where (${status ?? null}::text is null or status = ${status ?? null})
         and (${cursor?.position ?? null}::bigint is null or position < ${cursor?.position ?? null}::bigint)
       order by position desc limit ${limit + 1}`);
    const confirmations = rows.slice(0, limit);
    const last = confirmations.at(-1);
    return {
      confirmations: confirmations.map(viewOf),
      cursor: rows.length > limit && last !== undefined ? writeCursor(last) : null,
    };
  }

  /** Has one posted again; `answered` if it has an answer, or was found to need none. */
  async replayOne(actionId: Uuid, by: Actor): Promise<'replayed' | 'answered' | 'unknown'> {
    if ((await this.replayWhere(sql`action_id = ${actionId}`, { actionId }, by)) > 0) return 'replayed';
    const [known] = await this.database.query(sql`select from confirmation where action_id = ${actionId}`);
    return known === undefined ? 'unknown' : 'answered';
  }

  /** Has those posted again that were requested within a period; resolves with their number. */
  replay({ since, until, status }: Readonly<ConfirmationReplayDto>, by: Actor): Promise<number> {
    const which = sql`status = ${status} and created_at >= coalesce(${since ?? null}::timestamptz, '-infinity')
           and created_at < coalesce(${until ?? null}::timestamptz + interval '1 millisecond', 'infinity')`;
    return this.replayWhere(which, { since, until, status }, by);
  }

  /** An exchange that is in progress goes on; what it comes to counts. */
  private async replayWhere(which: Sql, requestData: object, by: Actor): Promise<number> {
    const replayed = await this.database.transaction(async (transaction) => {
      const rows = await transaction.query(sql`
        with chosen as (
          select action_id from confirmation
           where ${which} and status = any (${UNANSWERED}::text[])
           order by action_id for update
        )
        update confirmation c set status = 'pending', failures = 0, next_attempt_at = now()
          from chosen where c.action_id = chosen.action_id returning c.action_id`);
      await this.audit.record(transaction, {
        ...by,
        operation: 'confirmations.replay',
        requestData,
        responseSummary: { replayed: rows.length },
      });
      return rows.length;
    });
    this.outbox.announce();
    return replayed;
  }
}

const viewOf = ({ createdAt, nextAttemptAt, attempts, ...row }: ConfirmationRow): ConfirmationView => ({
  actionId: row.actionId,
  eventId: row.eventId,
  eventType: row.eventType,
  actionType: row.actionType,
  status: row.status,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  attempts: attemptViews(attempts),
});
