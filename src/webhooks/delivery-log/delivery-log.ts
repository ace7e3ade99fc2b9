import { Injectable } from '@nestjs/common';

import { Database } from '../../database/pools/database.js';
import type { Uuid } from '../../domain/uuid.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import { DueAnnouncements } from '../delivery/due-announcements.js';
import type { Topic } from '../topic.js';
import type { DeliveriesQueryDto } from './deliveries-query.dto.js';
import { writeCursor } from './delivery-cursor.js';
import type { DeliveryStatus } from './delivery-status.js';
import type { ReplayDto } from './replay.dto.js';

/** An attempt, as both outboxes list it. */
export interface AttemptView {
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

/** A delivery with all its attempts, as W-10 lists it. */
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
}

/** What became of deliveries, and their replay (W-10). */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly database: Database,
    private readonly announcements: DueAnnouncements,
  ) {}

  /** Deliveries of a subscription, newest first. */
  async page(
    subscriptionId: Uuid,
    { status, limit, cursor: after }: Readonly<DeliveriesQueryDto>,
  ): Promise<DeliveryPage> {
    const rows = await this.database.query<DeliveryRow>(sql`
      select d.id, s.topic, d.event_id as "eventId", d.status, d.created_at as "createdAt",
             (extract(epoch from d.created_at) * 1000000)::bigint as "createdAtMicros",
             d.next_attempt_at as "nextAttemptAt",
             ${attemptsOf(sql`webhook_attempt a where a.delivery_id = d.id`)} as attempts
        from webhook_delivery d join webhook_subscription s on s.id = d.subscription_id
       where d.subscription_id = ${subscriptionId}
         and (${status ?? null}::text is null or d.status = ${status ?? null})
         and (${after?.id ?? null}::uuid is null
              or (d.created_at, d.id) < ('epoch'::timestamptz + ${after?.createdAtMicros ?? null}::bigint * interval '1 microsecond',
                                         ${after?.id ?? null}::uuid))
       order by d.created_at desc, d.id desc
       limit ${limit + 1}`);
    const deliveries = rows.slice(0, limit);
    const last = deliveries.at(-1);
    return {
      deliveries: deliveries.map(viewOf),
      cursor: rows.length > limit && last !== undefined ? writeCursor(last) : null,
    };
  }

  /** Replays a delivery, with the same bytes; false if the subscription has no such delivery. */
  async replayOne(subscriptionId: Uuid, deliveryId: Uuid): Promise<boolean> {
    const replayed = await this.database.query(sql`
      update webhook_delivery set status = 'pending', failures = 0, next_attempt_at = now()
       where id = ${deliveryId} and subscription_id = ${subscriptionId} returning id`);
    this.announcements.announce();
    return replayed.length > 0;
  }

  /** Replays deliveries that were created within a period; resolves with their number. */
  async replay(subscriptionId: Uuid, { since, until, status }: Readonly<ReplayDto>): Promise<number> {
    // Locked in the same order as everywhere.
    const [row] = await this.database.query<{ readonly replayed: string }>(sql`
      with chosen as (
        select id from webhook_delivery
         where subscription_id = ${subscriptionId} and status = ${status}
           and created_at >= ${since} and created_at < ${until}::timestamptz + interval '1 millisecond'
         order by id for update
      ), replayed as (
        update webhook_delivery d set status = 'pending', failures = 0, next_attempt_at = now()
          from chosen where d.id = chosen.id returning d.id
      )
      select count(*) as replayed from replayed`);
    this.announcements.announce();
    return Number(row?.replayed ?? 0);
  }
}

/** An expression for a JSON list of attempts, oldest first; `from`: their table as `a`, and which of its rows. */
export const attemptsOf = (from: Sql): Sql => sql`(
  select coalesce(json_agg(json_build_object(
           'at', a.at, 'durationMs', a.duration_ms, 'status', a.status, 'error', a.error,
           'response', a.response) order by a.at), '[]') from ${from})`;

/** Attempts as `attemptsOf` reads them, with instants in UTC. */
export const attemptViews = (attempts: readonly AttemptView[]): readonly AttemptView[] =>
  attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() }));

const viewOf = ({ id, topic, eventId, status, createdAt, nextAttemptAt, attempts }: DeliveryRow): DeliveryView => ({
  id,
  topic,
  eventId,
  status,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  attempts: attemptViews(attempts),
});
