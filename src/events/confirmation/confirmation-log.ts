import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Database } from '../../platform/database/pools/database.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { type InTurn, type LogView, OutboxLog, type OutboxTable } from '../../platform/outbox/outbox-log.js';
import { ConfirmationOutbox } from './confirmation-outbox.js';
import type { ConfirmationReplayDto, ConfirmationsQueryDto } from './confirmations.dto.js';
import { type ConfirmationStatus, UNANSWERED } from './confirmation-status.js';

interface Confirmation {
  readonly actionId: Uuid;
  readonly eventId: Uuid;
  readonly eventType: string;
  readonly actionType: ActionType;
}

/** A requested action, as far as its confirmation goes, with its latest attempts. */
export type ConfirmationView = LogView<Confirmation, ConfirmationStatus>;

/** A page of confirmations, newest first. */
export interface ConfirmationPage {
  readonly confirmations: readonly ConfirmationView[];
  /** For the next page; null if there is none. */
  readonly cursor: string | null;
}

/** E-15. */
@Injectable()
export class ConfirmationLog {
  private readonly log: OutboxLog<Confirmation, ConfirmationStatus>;

  constructor(database: Database, audit: AuditLog, outbox: ConfirmationOutbox) {
    this.log = new OutboxLog(database, audit, CONFIRMATIONS, () => {
      outbox.announce();
    });
  }

  /** Confirmations, newest first: `limit` of them, or fewer where their attempts are long. */
  async page({ status, limit, cursor: after }: Readonly<ConfirmationsQueryDto>): Promise<ConfirmationPage> {
    const { views, cursor } = await this.log.page({ where: sql`true`, status, limit, cursor: after });
    return { confirmations: views, cursor };
  }

  /** Has one posted again; `settled` if it has an answer, or was found to need none. */
  replayOne(actionId: Uuid, by: Actor): Promise<'replayed' | 'settled' | 'unknown'> {
    const mayBeReplayed = sql`d.status = any (${[...UNANSWERED]}::text[])`;
    return this.log.replayOne(actionId, {
      where: sql`true`,
      mayBeReplayed,
      asked: { ...by, requestData: { actionId } },
    });
  }

  /** Has those posted again that were requested within a period, in parts; resolves with their number. */
  replay({ since, until, status }: Readonly<ConfirmationReplayDto>, by: Actor, inTurn?: InTurn): Promise<number> {
    // The period narrows a part and not the list, so that none looks for its rows among very many others.
    const isWanted = sql`d.created_at >= coalesce(${since ?? null}::timestamptz, '-infinity')
      and d.created_at < coalesce(${until ?? null}::timestamptz + interval '1 millisecond', 'infinity')`;
    const asked = { ...by, requestData: { since, until, status } };
    return this.log.replay({ where: sql`d.settled_at is null`, status, isWanted, asked }, inTurn);
  }
}

const CONFIRMATIONS: OutboxTable = {
  table: sql`confirmation`,
  key: sql`action_id`,
  attempts: sql`confirmation_attempt`,
  attemptOf: sql`action_id`,
  order: [sql`d.position`, sql`d.position desc`],
  position: sql`d.position::text`,
  isBeyond: (direction, position) => sql`d.position ${direction} ${position}::bigint`,
  own: sql`json_build_object('actionId', d.action_id, 'eventId', d.event_id, 'eventType', d.event_type,
                             'actionType', d.action_type)`,
  operation: 'confirmations.replay',
};
