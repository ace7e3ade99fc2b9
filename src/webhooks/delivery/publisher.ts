import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { CORRELATION_ID, type CorrelationId } from '../../auth/access/request-target.js';
import { readableByClient } from '../../auth/access/covers.js';
import { UnreadableShaSecrets } from '../../auth/clients/sha-secrets.js';
import {
  EventPublisher,
  type FilesByEvent,
  type FilesByPath,
  type Published,
  type PublishedChange,
  type TopicLook,
} from '../../events/write/event-publisher.js';
import { toInstant } from '../../kernel/domain/calendar.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import { type Topic, topicOfChange } from '../../kernel/domain/life-cycle/topic.js';
import { newUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Secret } from '../../platform/config/secret.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { type Steps, stepwise, TimeSlice } from '../../platform/queue/time-slice.js';
import { contextBundle } from '../notification/context-bundle.js';
import { dayOfNames, type NamedPlaces, readNamedPlaces } from '../notification/named-places.js';
import { envelopeOf } from '../notification/envelope.js';
import { contextSignature, contextText, type NotificationFormat } from '../notification/notification-headers.js';
import { type FilteredRecord, RecordFilter } from '../subscriptions/record-filter.js';
import { SubscriptionRegister } from '../subscriptions/subscription-register.js';
import { DueAnnouncements } from './due-announcements.js';
import { type ContextRow, type DeliveryRow, NOT_SIGNED, OutboxWriter } from './outbox-writer.js';

/** A change that has a topic. */
export interface TopicalChange extends PublishedChange {
  readonly topic: Topic;
}

/** The same, if it has one. */
function topicalOf(change: PublishedChange): TopicalChange[] {
  const { record, action } = change;
  const topic = topicOfChange({ eventType: record.type, action: action.type, status: action.status });
  return topic === undefined ? [] : [{ ...change, topic }];
}

/** A subscription, with what its notifications depend on. */
export interface Subscriber {
  readonly id: Uuid;
  readonly clientId: Uuid;
  /** The scopes of the client. */
  readonly scopes: readonly string[];
  readonly topic: Topic;
  readonly callback: string;
  readonly format: NotificationFormat;
  readonly status: 'active' | 'disabled';
  /** The secret that signs it (W-15). */
  readonly shaSecretSealed: string;
  readonly shaSecretGeneration: number;
  /** The generation of the one that its client has now. */
  readonly currentShaSecret: number;
  /** The time of the transaction. */
  readonly now: Date;
}

/**
 * The subscriptions with these ids that have not ended, as of the transaction. A secret that was replaced signs what is
 * published to subscriptions made under it until `overlapSeconds` later (W-15).
 */
const subscribersOf = (transaction: Queryable, ids: readonly Uuid[], overlapSeconds: number): Promise<Subscriber[]> =>
  transaction.query<Subscriber>(sql`
      select s.id, s.client_id as "clientId", c.scopes, s.topic, s.callback, s.format, s.status,
             coalesce(replaced.sealed, c.sha_secret_sealed) as "shaSecretSealed",
             coalesce(replaced.generation, c.sha_secret_generation) as "shaSecretGeneration",
             c.sha_secret_generation as "currentShaSecret", now() as now
        from webhook_subscription s join system_client c using (client_id)
        -- The one under which it was last made or renewed, for a while.
        left join replaced_sha_secret replaced
          on replaced.client_id = s.client_id and replaced.generation = s.sha_secret_generation
         and replaced.replaced_at > now() - ${overlapSeconds} * interval '1 second'
       where s.id = any (${ids}::uuid[]) and s.deleted_at is null and s.status <> 'ended'`);

/** Signs each context once with each secret. */
function signedOnce(): (context: string, secret: Secret) => string {
  const made = new Map<Secret, Map<string, string>>();
  return (context, secret) => {
    const ofSecret = made.get(secret) ?? new Map<string, string>();
    made.set(secret, ofSecret);
    const signature = ofSecret.get(context) ?? contextSignature(context, secret);
    ofSecret.set(context, signature);
    return signature;
  };
}

/**
 * The delivery of a change to a subscriber; `sign` makes the signature of a context, or is undefined if the secret
 * cannot be read.
 */
function deliveryOf(
  subscriber: Subscriber,
  { record, topic, correlationId }: TopicalChange & { readonly correlationId: string },
  context: ContextRow,
  sign: ((text: string) => string) | undefined,
): DeliveryRow {
  const { id: subscriptionId, callback, format, shaSecretGeneration, now } = subscriber;
  const id = newUuid();
  const notice = { format, deliveryId: id, subscriptionId, topic, callback, createdAt: toInstant(now) };
  const { head, tail } = envelopeOf(notice, () => sign?.(context.body) ?? '');
  return {
    id,
    subscriptionId,
    eventId: record.id,
    contextId: context.id,
    head,
    tail,
    status: subscriber.status === 'active' ? 'pending' : 'dead',
    shaSecretGeneration: sign === undefined ? NOT_SIGNED : shaSecretGeneration,
    correlationId,
  };
}

/** A change as part of its audience may see it, in each format that they ask for. */
interface Version {
  readonly record: EventRecord;
  readonly contexts: ReadonlyMap<NotificationFormat, ContextRow>;
}

/** The contexts of a change: one version for each way in which its record is `shown`. */
function* contextsOf(
  { action, topic }: TopicalChange,
  { areaOf, nameOn, timezone, files }: NamedPlaces & { readonly timezone: string; readonly files: FilesByPath },
  audience: readonly Subscriber[],
  shown: (subscriber: Subscriber) => EventRecord,
): Steps<readonly Version[]> {
  const records = new Set<EventRecord>();
  for (const subscriber of audience) {
    records.add(shown(subscriber));
    yield;
  }
  const versions: Version[] = [];
  for (const record of records) {
    const day = dayOfNames(record, timezone);
    const bundle = contextBundle({
      topic,
      record,
      actionId: action.id,
      files,
      areaOf,
      nameOf: (place) => nameOn(place, day),
    });
    const formats = new Set(audience.filter((one) => shown(one) === record).map(({ format }) => format));
    const contexts = new Map<NotificationFormat, ContextRow>();
    for (const format of formats) {
      yield;
      contexts.set(format, { id: randomUUID(), body: yield* contextText(bundle, format) });
    }
    versions.push({ record, contexts });
    yield;
  }
  return versions;
}

/** Writes the outbox: one delivery for each subscription that a change concerns (W-8, W-11). */
@Injectable()
export class Publisher extends EventPublisher {
  constructor(
    private readonly secrets: UnreadableShaSecrets,
    private readonly register: SubscriptionRegister,
    private readonly filter: RecordFilter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'SHA_SECRET_OVERLAP_SECONDS' | 'TIMEZONE'>,
    private readonly announcements: DueAnnouncements,
    @Optional() @Inject(CORRELATION_ID) private readonly correlationId: CorrelationId = () => undefined,
  ) {
    super();
  }

  async look(transaction: Queryable, changes: readonly PublishedChange[]): Promise<readonly TopicLook[] | undefined> {
    const topics = [...new Set(changes.flatMap(topicalOf).map(({ topic }) => topic))];
    return topics.length === 0 ? undefined : this.register.look(transaction, topics);
  }

  /**
   * Reads the subscriptions of these topics, if they have changed. To be called while the transaction has no other
   * statement under way, before a `publish` that is sent together with others and is given what this resolves with.
   * Without it `publish` reads them itself, and must be sent alone.
   */
  async ready(transaction: Queryable, looks: readonly TopicLook[]): Promise<Date | undefined> {
    await this.register.upToDate(transaction, looks);
    return looks[0]?.now;
  }

  /**
   * Writes the deliveries of the changes in the same transaction, so that there are both or neither. Their bytes are
   * created here and stored (W-4). Deliveries to a disabled subscription are dead from the start: the gap that can be
   * replayed when it is subscribed again (W-7). Resolves with what is to be announced after the commit.
   */
  async publish(
    transaction: Queryable,
    changes: readonly PublishedChange[],
    filesOf: FilesByEvent = new Map(),
    upToDateAt?: Date,
  ): Promise<Published | undefined> {
    const topical = changes.flatMap(topicalOf);
    if (topical.length === 0) return undefined;
    const audiences = await this.audiencesOf(transaction, topical, upToDateAt);
    if (audiences.every((audience) => audience.length === 0)) return undefined;
    const places = await readNamedPlaces(
      transaction,
      topical.map(({ record }) => record),
    );
    const ownId = this.correlationId() ?? randomUUID();
    const outbox = new OutboxWriter(transaction);
    const published = new Set<Uuid>();
    const secretOf = this.secretsOpenedOnce();
    const slice = new TimeSlice();
    for (const [at, change] of topical.entries()) {
      const audience = audiences[at] ?? [];
      const [first] = audience;
      if (first === undefined) continue;
      const shown = this.shownTo({ record: change.record, notifiedBy: change.notifiedBy, now: first.now });
      const files = filesOf.get(change.record.id) ?? new Map();
      const { TIMEZONE: timezone } = this.config;
      const steps = contextsOf(change, { ...places, timezone, files }, audience, shown);
      const texts = await stepwise(steps, slice);
      for (const context of texts.flatMap(({ contexts }) => [...contexts.values()])) {
        outbox.addContext(context);
        if (outbox.isFull) await outbox.write();
      }
      const sign = signedOnce();
      for (const subscriber of audience) {
        const context = texts.find(({ record }) => record === shown(subscriber))?.contexts.get(subscriber.format);
        if (context === undefined) continue;
        const known = { ...change, correlationId: change.correlationId ?? ownId };
        const secret = secretOf(subscriber);
        const delivery = deliveryOf(subscriber, known, context, secret && ((text) => sign(text, secret)));
        outbox.add(delivery);
        if (delivery.status === 'pending') published.add(subscriber.id);
        if (outbox.isFull) await outbox.write();
        if (slice.isOver) await slice.next();
      }
    }
    await outbox.write();
    return published;
  }

  /** Has what was published delivered at once, rather than within a second: to be called after the commit. */
  announce(published: Published): void {
    this.announcements.announceFor(published);
  }

  /** Announces everything that is due. */
  announceAll(): void {
    this.announcements.announce();
  }

  /** The subscriptions that each change concerns (W-11), as of the transaction. */
  private async audiencesOf(
    transaction: Queryable,
    changes: readonly TopicalChange[],
    upToDateAt: Date | undefined,
  ): Promise<readonly (readonly Subscriber[])[]> {
    const concerned = changes.map((): ReadonlySet<Uuid> => new Set());
    for (const topic of new Set(changes.map((change) => change.topic))) {
      const ofTopic = [...changes.entries()].filter(([, change]) => change.topic === topic);
      const found = await this.register.concernedBy(
        transaction,
        topic,
        ofTopic.map(([, { record, notifiedBy }]) => ({ record, notifiedBy })),
        upToDateAt,
      );
      ofTopic.forEach(([at], index) => (concerned[at] = found[index] ?? new Set()));
    }
    const ids = [...new Set(concerned.flatMap((found) => [...found]))];
    const rows = ids.length === 0 ? [] : await subscribersOf(transaction, ids, this.config.SHA_SECRET_OVERLAP_SECONDS);
    const subscribers = new Map(rows.map((subscriber) => [subscriber.id, subscriber]));
    return concerned.map((found) => [...found].flatMap((id) => subscribers.get(id) ?? []));
  }

  /** The record as each subscriber may see it: without secured fields if its client may not read it (E-10). */
  private shownTo(filtered: FilteredRecord): (subscriber: Subscriber) => EventRecord {
    const known = new Map<Uuid, EventRecord>();
    return ({ clientId, scopes }) => {
      const shown = known.get(clientId) ?? this.filter.shown(filtered, readableByClient(scopes, clientId));
      known.set(clientId, shown);
      return shown;
    };
  }

  /** The secrets of subscribers, each decrypted once, however many subscriptions a client has. */
  private secretsOpenedOnce(): (subscriber: Subscriber) => Secret | undefined {
    const opened = new Map<string, Secret | undefined>();
    return ({ clientId, shaSecretSealed }) => {
      const key = `${clientId} ${shaSecretSealed}`;
      if (!opened.has(key)) opened.set(key, this.secrets.read(clientId, shaSecretSealed));
      return opened.get(key);
    };
  }
}
