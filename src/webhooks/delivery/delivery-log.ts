import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type InTurn, type LogView, OutboxLog, type OutboxTable } from '../../platform/outbox/outbox-log.js';
import { byCreation } from '../../platform/dto/page.js';
import { sql } from '../../kernel/sql/sql.js';
import { DueAnnouncements } from './due-announcements.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import type { DeliveriesQueryDto, ReplayDto } from './deliveries.dto.js';
import type { DeliveryStatus } from './delivery-status.js';

interface Delivery {
  readonly id: Uuid;
  readonly topic: Topic;
  readonly eventId: Uuid;
}

/** A delivery with its latest attempts, as W-10 lists it. */
export type DeliveryView = LogView<Delivery, DeliveryStatus>;

/** A page of the delivery log, newest first. */
export interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[];
  /** For the next page; null if there is none. */
  readonly cursor: string | null;
}

/** W-10. */
@Injectable()
export class DeliveryLog {
  private readonly log: OutboxLog<Delivery, DeliveryStatus>;

  constructor(database: Database, audit: AuditLog, announcements: DueAnnouncements) {
    this.log = new OutboxLog(database, audit, DELIVERIES, () => {
      announcements.announce();
    });
  }

  /** Deliveries of a subscription, newest first: `limit` of them, or fewer where their attempts are long. */
  async page(
    subscriptionId: Uuid,
    { status, limit, cursor: after }: Readonly<DeliveriesQueryDto>,
  ): Promise<DeliveryPage> {
    const where = sql`d.subscription_id = ${subscriptionId}`;
    const { views, cursor } = await this.log.page({ where, status, limit, cursor: after });
    return { deliveries: views, cursor };
  }

  /** Replays a delivery, with the same bytes; false if the subscription has no such delivery. */
  async replayOne(subscriptionId: Uuid, deliveryId: Uuid, by: Actor): Promise<boolean> {
    const asked = { ...by, requestData: { id: subscriptionId, deliveryId } };
    const where = sql`d.subscription_id = ${subscriptionId}`;
    return (await this.log.replayOne(deliveryId, { where, mayBeReplayed: sql`true`, asked })) === 'replayed';
  }

  /** Replays deliveries that were created within a period, the oldest first, in parts; resolves with their number. */
  replay(
    subscriptionId: Uuid,
    { since, until, status }: Readonly<ReplayDto>,
    by: Actor,
    inTurn?: InTurn,
  ): Promise<number> {
    const asked = { ...by, requestData: { id: subscriptionId, since, until, status } };
    const where = sql`d.subscription_id = ${subscriptionId}
      and d.created_at >= ${since} and d.created_at < ${until}::timestamptz + interval '1 millisecond'`;
    return this.log.replay({ where, status, isWanted: sql`true`, asked }, inTurn);
  }
}

const DELIVERIES: OutboxTable = {
  table: sql`webhook_delivery`,
  key: sql`id`,
  attempts: sql`webhook_attempt`,
  attemptOf: sql`delivery_id`,
  order: [sql`d.created_at, d.id`, sql`d.created_at desc, d.id desc`],
  ...byCreation(sql`d.created_at`, sql`d.id`),
  own: sql`json_build_object('id', d.id, 'topic', (select topic from webhook_subscription where id = d.subscription_id),
                             'eventId', d.event_id)`,
  operation: 'webhooks.replay',
};
