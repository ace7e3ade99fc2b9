import { randomUUID } from 'node:crypto';

import { Inject, Injectable, Optional } from '@nestjs/common';

import { SystemClients } from '../../auth/system-clients/system-clients.js';
import type { Queryable } from '../../database/queryable.js';
import { toInstant } from '../../domain/calendar.js';
import type { EventAction } from '../../domain/event-action.js';
import type { EventRecord } from '../../domain/event-record.js';
import type { Uuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';
import { contextBundle } from '../context/context-bundle.js';
import type { CorrelationId } from '../correlation-id.js';
import { CORRELATION_ID } from '../correlation-id.js';
import { envelopeOf } from '../notification/envelope.js';
import type { NotificationFormat } from '../notification/notification-format.js';
import { contextText } from '../notification/notification-format.js';
import { reachOfClient } from '../subscriptions/reach-of-client.js';
import { RecordFilter } from '../subscriptions/record-filter.js';
import type { Topic } from '../topic.js';
import { topicOfChange } from '../topic-of-change.js';

/** An action that was added to an event, with the record as it leaves it. */
export interface PublishedChange {
  readonly record: EventRecord;
  readonly action: EventAction;
}

/** A change that somebody can have subscribed to. */
interface TopicalChange extends PublishedChange {
  readonly topic: Topic;
}

interface Subscriber {
  readonly id: Uuid;
  readonly clientId: Uuid;
  readonly topic: Topic;
  readonly callback: string;
  readonly format: NotificationFormat;
  readonly query: unknown;
  readonly status: 'active' | 'disabled';
  readonly scopes: readonly string[];
  readonly shaSecretSealed: string;
  /** The time of the transaction. */
  readonly now: Date;
}

interface ContextRow {
  readonly id: string;
  readonly body: string;
}

interface DeliveryRow {
  readonly id: string;
  readonly subscriptionId: Uuid;
  readonly eventId: Uuid;
  readonly contextId: string;
  readonly head: string;
  readonly tail: string;
  readonly status: 'pending' | 'dead';
}

/** Writes the outbox: one delivery for each subscription that a change concerns (W-8, W-11). */
@Injectable()
export class Publisher {
  constructor(
    private readonly clients: SystemClients,
    private readonly filter: RecordFilter,
    @Optional() @Inject(CORRELATION_ID) private readonly correlationId: CorrelationId = () => undefined,
  ) {}

  /**
   * Writes the deliveries of the changes within the transaction that makes them, so that there are both or neither. Their
   * bytes are made here and kept (W-4). Deliveries to a disabled subscription are born dead: the gap that can be replayed
   * when it is subscribed again (W-7).
   */
  async publish(transaction: Queryable, changes: readonly PublishedChange[]): Promise<void> {
    const topical = changes.flatMap(topicalOf);
    if (topical.length === 0) return;
    const subscribers = await this.subscribersOf(transaction, [...new Set(topical.map(({ topic }) => topic))]);
    if (subscribers.length === 0) return;
    const concerns = await this.concerned(transaction, topical, subscribers);
    const areas = await this.areasOf(transaction, topical);

    const contexts: ContextRow[] = [];
    const deliveries: DeliveryRow[] = [];
    for (const change of topical) {
      const audience = subscribers.filter((subscriber) => concerns(subscriber, change));
      if (audience.length === 0) continue;
      const texts = contextsOf(change, areas, audience);
      contexts.push(...texts.values());
      for (const subscriber of audience) {
        const context = texts.get(subscriber.format);
        if (context !== undefined) deliveries.push(this.deliveryOf(subscriber, change, context));
      }
    }
    if (deliveries.length > 0) await this.insert(transaction, contexts, deliveries);
  }

  private subscribersOf(transaction: Queryable, topics: readonly Topic[]): Promise<Subscriber[]> {
    return transaction.query<Subscriber>(sql`
      select s.id, s.client_id as "clientId", s.topic, s.callback, s.format, s.query, s.status, c.scopes,
             c.sha_secret_sealed as "shaSecretSealed", now() as now
        from webhook_subscription s join system_client c using (client_id)
       where s.topic = any (${topics}::text[]) and s.deleted_at is null and s.status <> 'ended'
       order by s.created_at, s.id`);
  }

  /** Whether a subscriber is to be notified of a change: its topic, its query and the scopes of its client. */
  private async concerned(
    transaction: Queryable,
    changes: readonly TopicalChange[],
    subscribers: readonly Subscriber[],
  ): Promise<(subscriber: Subscriber, change: TopicalChange) => boolean> {
    const restricted = subscribers
      .map(({ id, query, scopes, clientId }) => ({ id, query, reach: reachOfClient(scopes), subject: clientId }))
      .filter(({ query, reach }) => query !== null || reach !== 'everything');
    const recordIds = [...new Set(changes.map(({ record }) => record.id))];
    const matching = new Map<Uuid, ReadonlySet<Uuid>>();
    const [{ now } = { now: new Date(0) }] = subscribers;
    if (restricted.length > 0) {
      const found = await this.filter.matching(transaction, recordIds, restricted, now);
      restricted.forEach(({ id }, at) => matching.set(id, found[at] ?? new Set()));
    }
    return ({ id, topic }, change) => topic === change.topic && matching.get(id)?.has(change.record.id) !== false;
  }

  /** The administrative areas of the offices that the changes name. */
  private async areasOf(transaction: Queryable, changes: readonly TopicalChange[]): Promise<ReadonlyMap<Uuid, Uuid>> {
    const offices = changes.flatMap(({ record }) => [
      record.legalStatuses.REGISTERED?.createdAtLocation ?? null,
      record.updatedAtLocation,
    ]);
    const rows = await transaction.query<{ readonly id: Uuid; readonly partOf: Uuid }>(sql`
      select id, part_of as "partOf" from place
       where id = any (${[...new Set(offices)].filter((office) => office !== null)}::uuid[]) and part_of is not null`);
    return new Map(rows.map(({ id, partOf }) => [id, partOf]));
  }

  private deliveryOf(subscriber: Subscriber, { record, topic }: TopicalChange, context: ContextRow): DeliveryRow {
    const { id: subscriptionId, clientId, callback, format, shaSecretSealed, now, status } = subscriber;
    const id = randomUUID();
    const notice = { format, deliveryId: id, subscriptionId, topic, callback, createdAt: toInstant(now) };
    const { head, tail } = envelopeOf(notice, context.body, this.clients.openShaSecret(clientId, shaSecretSealed));
    return {
      id,
      subscriptionId,
      eventId: record.id,
      contextId: context.id,
      head,
      tail,
      status: status === 'active' ? 'pending' : 'dead',
    };
  }

  private async insert(
    transaction: Queryable,
    contexts: readonly ContextRow[],
    deliveries: readonly DeliveryRow[],
  ): Promise<void> {
    await transaction.query(sql`
      with context as (
        insert into webhook_context (id, body)
        select * from unnest(${contexts.map(({ id }) => id)}::uuid[], ${contexts.map(({ body }) => body)}::text[])
      ), delivery as (
        insert into webhook_delivery
          (id, subscription_id, event_id, context_id, head, tail, status, correlation_id, next_attempt_at)
        select new.*, ${this.correlationId() ?? randomUUID()}::text, case new.status when 'pending' then now() end
          from unnest(
            ${deliveries.map(({ id }) => id)}::uuid[],
            ${deliveries.map(({ subscriptionId }) => subscriptionId)}::uuid[],
            ${deliveries.map(({ eventId }) => eventId)}::uuid[],
            ${deliveries.map(({ contextId }) => contextId)}::uuid[],
            ${deliveries.map(({ head }) => head)}::text[],
            ${deliveries.map(({ tail }) => tail)}::text[],
            ${deliveries.map(({ status }) => status)}::text[])
            as new (id, subscription_id, event_id, context_id, head, tail, status)
      )
      select pg_notify('delivery_due', '')`);
  }
}

function topicalOf(change: PublishedChange): TopicalChange[] {
  const { record, action } = change;
  const topic = topicOfChange({ eventType: record.type, action: action.type, status: action.status });
  return topic === undefined ? [] : [{ ...change, topic }];
}

/** The context of a change, in each format that its audience asks for. */
function contextsOf(
  { record, action, topic }: TopicalChange,
  areas: ReadonlyMap<Uuid, Uuid>,
  audience: readonly Subscriber[],
): ReadonlyMap<NotificationFormat, ContextRow> {
  const bundle = contextBundle({
    topic,
    record,
    actionId: action.id,
    files: new Map(),
    areaOf: (office) => areas.get(office) ?? null,
  });
  const formats = new Set(audience.map(({ format }) => format));
  return new Map([...formats].map((format) => [format, { id: randomUUID(), body: contextText(bundle, format) }]));
}
