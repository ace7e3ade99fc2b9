import { Injectable } from '@nestjs/common';
import type { Actor, AuditEntry } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Database } from '../../platform/database/pools/database.js';
import { retryingDeadlocks } from '../../platform/database/connection/queryable.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { boundedPage } from '../../platform/outbox/bounded-page.js';
import { attemptsOf, type AttemptView, attemptViews, MOST_SHOWN } from '../../platform/outbox/attempt-view.js';
import {
  type InTurn,
  madeAgain,
  MOST_REPLAYED,
  type ReplayedPart,
  replayInParts,
} from '../../platform/outbox/replay-parts.js';
import { ConfirmationOutbox } from './confirmation-outbox.js';
import { type ConfirmationStatus, type Unanswered, UNANSWERED } from './confirmation-status.js';
import { type ConfirmationCursor, writeCursor } from './confirmation-cursor.js';
import type { ConfirmationReplayDto, ConfirmationsQueryDto } from './confirmations.dto.js';

/** A requested action, as far as its confirmation goes, with its latest attempts. */
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
  /** The attempts as JSON. */
  readonly bytes: number;
}

/** E-15. */
@Injectable()
export class ConfirmationLog {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly outbox: ConfirmationOutbox,
  ) {}

  /** Confirmations, newest first: `limit` of them, or fewer where their attempts are long. */
  async page({ status, limit, cursor }: Readonly<ConfirmationsQueryDto>): Promise<ConfirmationPage> {
    const { rows, isMore } = await boundedPage<ConfirmationRow>(limit, (after, most) =>
      this.read(status, after ?? cursor, most),
    );
    const last = rows.at(-1);
    return {
      confirmations: rows.map(viewOf),
      cursor: isMore && last !== undefined ? writeCursor(last) : null,
    };
  }

  private read(
    status: ConfirmationStatus | undefined,
    after: ConfirmationCursor | undefined,
    most: number,
  ): Promise<ConfirmationRow[]> {
    return this.database.query<ConfirmationRow>(sql`
      select *, octet_length(attempts::text) as bytes from (
        select action_id as "actionId", event_id as "eventId", event_type as "eventType", action_type as "actionType",
               status, position, created_at as "createdAt", next_attempt_at as "nextAttemptAt",
               ${attemptsOf(LATEST_ATTEMPTS)} as attempts
          from confirmation c
         where (${status ?? null}::text is null or status = ${status ?? null})
           and (${after?.position ?? null}::bigint is null or position < ${after?.position ?? null}::bigint)
         order by position desc limit ${most}) part`);
  }

  /** Has one posted again; `answered` if it has an answer, or was found to need none. */
  async replayOne(actionId: Uuid, by: Actor): Promise<'replayed' | 'answered' | 'unknown'> {
    const one = sql`select action_id, position, true as is_of_time from confirmation where action_id = ${actionId}`;
    const asked = { ...by, requestData: { actionId }, isFirst: true };
    const { found, replayed } = await this.replayPart(one, UNANSWERED, asked);
    if (replayed > 0) return 'replayed';
    return found > 0 ? 'answered' : 'unknown';
  }

  /** Has those posted again that were requested within a period, in parts; resolves with their number. */
  replay(
    { since, until, status }: Readonly<ConfirmationReplayDto>,
    by: Actor,
    inTurn: InTurn = (work) => work(),
  ): Promise<number> {
    // The period narrows a part and not the list, so that none looks for its rows among very many others.
    return replayInParts<string>(inTurn, (after) =>
      this.replayPart(
        sql`
        select action_id, position,
               created_at >= coalesce(${since ?? null}::timestamptz, '-infinity') and
               created_at < coalesce(${until ?? null}::timestamptz + interval '1 millisecond', 'infinity') as is_of_time
          from confirmation
         where status = ${status} and settled_at is null and position > ${after ?? '0'}::bigint
         order by position limit ${MOST_REPLAYED}`,
        [status],
        { ...by, requestData: { since, until, status }, isFirst: after === null },
      ),
    );
  }

  /**
   * An exchange that is in progress goes on; what it comes to counts, but for a failure, which the replay follows.
   * Later parts without any leave no audit row.
   */
  private async replayPart(
    part: Sql,
    statuses: readonly Unanswered[],
    { isFirst, ...asked }: Pick<AuditEntry, keyof Actor | 'requestData'> & { readonly isFirst: boolean },
  ): Promise<ReplayedPart<string>> {
    // Claims, and answers to requests of many events, take locks in another order.
    const replayed = await retryingDeadlocks(() =>
      this.database.transaction(async (transaction) => {
        const [row] = await transaction.query<ReplayedPart<string>>(sql`
          with part as (${part}), chosen as (
            select c.action_id as id from confirmation c join part using (action_id)
             where part.is_of_time and c.status = any (${statuses}::text[])
             order by c.action_id for update of c
          ), ${MADE_AGAIN}
          select (select count(*)::int from part) as found, (select count(*)::int from chosen) as replayed,
                 (select max(position)::text from part) as last`);
        if (row === undefined) throw new Error('The database did not say how many actions are posted again');
        const { replayed: count } = row;
        if (isFirst || count > 0) {
          const entry = { ...asked, operation: 'confirmations.replay', responseSummary: { replayed: count } } as const;
          await this.audit.record(transaction, entry);
        }
        return row;
      }),
    );
    this.outbox.announce();
    return replayed;
  }
}

const MADE_AGAIN = madeAgain({
  table: sql`confirmation`,
  key: sql`action_id`,
  attempts: sql`confirmation_attempt`,
  attemptOf: sql`action_id`,
});

/** `c` is the confirmation. */
const LATEST_ATTEMPTS = sql`
  (select * from confirmation_attempt where action_id = c.action_id order by at desc limit ${MOST_SHOWN}) a`;

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
