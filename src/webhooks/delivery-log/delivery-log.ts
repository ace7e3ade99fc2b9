import { Injectable } from '@nestjs/common';
import type { Actor, AuditEntry } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Database } from '../../platform/database/pools/database.js';
import { type Queryable, retryingDeadlocks } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { attemptsOf, type AttemptView, attemptViews, MOST_SHOWN } from '../../platform/outbox/attempt-view.js';
import { boundedPage } from '../../platform/outbox/bounded-page.js';
import {
  type InTurn,
  madeAgain,
  MOST_REPLAYED,
  type ReplayedPart,
  replayInParts,
} from '../../platform/outbox/replay-parts.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { DueAnnouncements } from '../delivery/due-announcements.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import type { DeliveriesQueryDto } from './deliveries-query.dto.js';
import { type DeliveryCursor, writeCursor } from './delivery-cursor.js';
import type { DeliveryStatus } from './delivery-status.js';
import type { ReplayDto } from './replay.dto.js';

/** A delivery with its latest attempts, as W-10 lists it. */
export interface DeliveryView {
  readonly id: Uuid;
  readonly topic: Topic;
  readonly eventId: Uuid;
  readonly status: DeliveryStatus;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly AttemptView[];
}

/** A page of the delivery log, newest first. */
export interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[];
  /** For the next page; null if there is none. */
  readonly cursor: string | null;
}

interface DeliveryRow {
  readonly id: Uuid;
  readonly topic: Topic;
  readonly eventId: Uuid;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
  readonly createdAtMicros: string;
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly AttemptView[];
  /** The attempts as JSON. */
  readonly bytes: number;
}

/** W-10. */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly announcements: DueAnnouncements,
  ) {}

  /** Deliveries of a subscription, newest first: `limit` of them, or fewer where their attempts are long (Q-1). */
  async page(subscriptionId: Uuid, query: Readonly<DeliveriesQueryDto>): Promise<DeliveryPage> {
    const { rows, isMore } = await boundedPage<DeliveryRow>(query.limit, (after, most) =>
      this.read(subscriptionId, query.status, after ?? query.cursor, most),
    );
    return pageOf(rows, isMore);
  }

  private read(
    subscriptionId: Uuid,
    status: DeliveryStatus | undefined,
    after: DeliveryCursor | undefined,
    most: number,
  ): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow>(sql`
      select *, octet_length(attempts::text) as bytes from (
        select d.id, s.topic, d.event_id as "eventId", d.status, d.created_at as "createdAt",
               (extract(epoch from d.created_at) * 1000000)::bigint as "createdAtMicros",
               d.next_attempt_at as "nextAttemptAt",
               ${attemptsOf(LATEST_ATTEMPTS)} as attempts
          from webhook_delivery d join webhook_subscription s on s.id = d.subscription_id
         where d.subscription_id = ${subscriptionId}
           and (${status ?? null}::text is null or d.status = ${status ?? null})
           and ${isBeyond(sql`<`, sql`d`, after)}
         order by d.created_at desc, d.id desc
         limit ${most}) part`);
  }

  /** Replays a delivery, with the same bytes; false if the subscription has no such delivery. */
  async replayOne(subscriptionId: Uuid, deliveryId: Uuid, by: Actor): Promise<boolean> {
    const isFound = await this.database.transaction(async (transaction) => {
      const chosen = await transaction.query(sql`
        with chosen as (
          select id from webhook_delivery where id = ${deliveryId} and subscription_id = ${subscriptionId} for update
        ), ${MADE_AGAIN}
        select id from chosen`);
      if (chosen.length === 0) return false;
      await this.note(transaction, { ...by, requestData: { id: subscriptionId, deliveryId } }, chosen.length);
      return true;
    });
    this.announcements.announce();
    return isFound;
  }

  /** Replays deliveries that were created within a period, the oldest first, in parts; resolves with their number. */
  replay(
    subscriptionId: Uuid,
    request: Readonly<ReplayDto>,
    by: Actor,
    inTurn: InTurn = (work) => work(),
  ): Promise<number> {
    const { since, until, status } = request;
    const asked = { ...by, requestData: { id: subscriptionId, since, until, status } };
    return replayInParts<DeliveryCursor>(inTurn, async (after) => {
      const part = await retryingDeadlocks(() =>
        this.database.transaction(async (transaction) => {
          const made = await replayPart(transaction, subscriptionId, request, after);
          // Later parts that make nothing again leave no row.
          if (after === null || made.replayed > 0) await this.note(transaction, asked, made.replayed);
          return made;
        }),
      );
      this.announcements.announce();
      return part;
    });
  }

  private note(
    transaction: Queryable,
    asked: Pick<AuditEntry, keyof Actor | 'requestData'>,
    replayed: number,
  ): Promise<void> {
    return this.audit.record(transaction, {
      ...asked,
      operation: 'webhooks.replay',
      responseSummary: { replayed },
    });
  }
}

async function replayPart(
  transaction: Queryable,
  subscriptionId: Uuid,
  { since, until, status }: Readonly<ReplayDto>,
  after: DeliveryCursor | null,
): Promise<ReplayedPart<DeliveryCursor>> {
  // In the order in which others replay; what records attempts has another one.
  const [part] = await transaction.query<ReplayedPart<DeliveryCursor>>(sql`
    with part as (
      select id, created_at from webhook_delivery
       where subscription_id = ${subscriptionId} and status = ${status}
         and created_at >= ${since} and created_at < ${until}::timestamptz + interval '1 millisecond'
         and ${isBeyond(sql`>`, sql`webhook_delivery`, after)}
       order by created_at, id limit ${MOST_REPLAYED}
    ), chosen as (
      select d.id from webhook_delivery d join part using (id)
       where d.status = ${status} order by d.id for update of d
    ), ${MADE_AGAIN}
    select (select count(*)::int from part) as found, (select count(*)::int from chosen) as replayed,
           (select json_build_object(
                     'id', id, 'createdAtMicros', (extract(epoch from created_at) * 1000000)::bigint::text)
              from part order by created_at desc, id desc limit 1) as last`);
  if (part === undefined) throw new Error('The database did not say how many deliveries are made again');
  return part;
}

function pageOf(rows: readonly DeliveryRow[], isMore: boolean): DeliveryPage {
  const last = rows.at(-1);
  return { deliveries: rows.map(viewOf), cursor: isMore && last !== undefined ? writeCursor(last) : null };
}

/** `d` is the delivery. */
const LATEST_ATTEMPTS = sql`
  (select * from webhook_attempt where delivery_id = d.id order by at desc limit ${MOST_SHOWN}) a`;

const MADE_AGAIN = madeAgain({
  ...{ table: sql`webhook_delivery`, key: sql`id` },
  ...{ attempts: sql`webhook_attempt`, attemptOf: sql`delivery_id` },
});

/** A condition: whether a delivery comes after a position in the log, in the given direction; true without one. */
const isBeyond = (direction: Sql, delivery: Sql, at: DeliveryCursor | null | undefined): Sql => sql`
  (${at?.id ?? null}::uuid is null or (${delivery}.created_at, ${delivery}.id) ${direction}
    ('epoch'::timestamptz + ${at?.createdAtMicros ?? null}::bigint * interval '1 microsecond', ${at?.id ?? null}::uuid))`;

const viewOf = ({ id, topic, eventId, status, createdAt, nextAttemptAt, attempts }: DeliveryRow): DeliveryView => ({
  id,
  topic,
  eventId,
  status,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  attempts: attemptViews(attempts),
});
