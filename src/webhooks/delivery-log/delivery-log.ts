import { Injectable } from '@nestjs/common';

import { Database } from '../../database/pools/database.js';
import type { Uuid } from '../../domain/uuid.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import { DueAnnouncements } from '../delivery/due-announcements.js';
import type { Topic } from '../topic.js';
import { boundedPage } from './bounded-page.js';
import type { DeliveriesQueryDto } from './deliveries-query.dto.js';
import type { DeliveryCursor } from './delivery-cursor.js';
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
  /** Of the attempts, as JSON. */
  readonly bytes: number;
}

/** Runs a part of longer work in a turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** How many attempts of a row are shown, the latest, and how many are kept when it is made again. */
export const MOST_SHOWN = 20;
export const MOST_KEPT = 100;

/** How many deliveries one statement makes again. */
const MOST_REPLAYED = 1_000;

/** The position is that of its last delivery. */
interface ReplayedPart extends DeliveryCursor {
  readonly found: number;
  readonly replayed: number;
}

/** What became of deliveries, and their replay (W-10). */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly database: Database,
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
  async replayOne(subscriptionId: Uuid, deliveryId: Uuid): Promise<boolean> {
    const chosen = await this.database.query(sql`
      with chosen as (
        select id from webhook_delivery where id = ${deliveryId} and subscription_id = ${subscriptionId} for update
      ), ${MADE_AGAIN}
      select id from chosen`);
    this.announcements.announce();
    return chosen.length > 0;
  }

  /**
   * Replays deliveries that were created within a period, the oldest first; resolves with their number. In parts, each
   * in a turn of its own: no statement holds very many rows, and what others wait for comes in between.
   */
  async replay(subscriptionId: Uuid, request: Readonly<ReplayDto>, inTurn: InTurn = (work) => work()): Promise<number> {
    let replayed = 0;
    for (let after: DeliveryCursor | undefined, isMore = true; isMore;) {
      const part = await inTurn(() => this.replayPart(subscriptionId, request, after));
      this.announcements.announce();
      replayed += part.replayed;
      isMore = part.found === MOST_REPLAYED;
      after = part;
    }
    return replayed;
  }

  private async replayPart(
    subscriptionId: Uuid,
    { since, until, status }: Readonly<ReplayDto>,
    after: DeliveryCursor | undefined,
  ): Promise<ReplayedPart> {
    // Locked in the same order as everywhere.
    const [part] = await this.database.query<ReplayedPart>(sql`
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
      select (select count(*)::int from part) as found, (select count(*)::int from chosen) as replayed, last.*
        from (select null) always left join lateral (
          select id, (extract(epoch from created_at) * 1000000)::bigint::text as "createdAtMicros"
            from part order by created_at desc, id desc limit 1) last on true`);
    if (part === undefined) throw new Error('The database did not say how many deliveries are made again');
    return part;
  }
}

function pageOf(rows: readonly DeliveryRow[], isMore: boolean): DeliveryPage {
  const last = rows.at(-1);
  return { deliveries: rows.map(viewOf), cursor: isMore && last !== undefined ? writeCursor(last) : null };
}

/** Of the delivery `d`. */
const LATEST_ATTEMPTS = sql`
  (select * from webhook_attempt where delivery_id = d.id order by at desc limit ${MOST_SHOWN}) a`;

/**
 * Makes the `chosen` again; one that waits for that already stays as it is. Attempts beyond the latest are forgotten
 * here: only replays make more of them than the schedule has.
 */
const MADE_AGAIN = sql`
  replayed as (
    update webhook_delivery d set status = 'pending', failures = 0, next_attempt_at = now()
      from chosen
     where d.id = chosen.id and (d.status <> 'pending' or d.failures > 0 or d.next_attempt_at > now())
  ), forgotten as (
    delete from webhook_attempt a using chosen
     where a.delivery_id = chosen.id
       and a.at < (select at from webhook_attempt
                    where delivery_id = chosen.id order by at desc offset ${MOST_KEPT - 1} limit 1)
  )`;

/** A condition: whether a delivery comes after a position in the log, in the given direction; true without one. */
const isBeyond = (direction: Sql, delivery: Sql, at: DeliveryCursor | undefined): Sql => sql`
  (${at?.id ?? null}::uuid is null or (${delivery}.created_at, ${delivery}.id) ${direction}
    ('epoch'::timestamptz + ${at?.createdAtMicros ?? null}::bigint * interval '1 microsecond', ${at?.id ?? null}::uuid))`;

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
