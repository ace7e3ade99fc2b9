import { randomUUID } from 'node:crypto';

import { Inject, Injectable, Optional } from '@nestjs/common';

import { SystemClients } from '../../auth/system-clients/system-clients.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import type { Secret } from '../../config/secret.js';
import type { Queryable } from '../../database/queryable.js';
import { toInstant } from '../../domain/calendar.js';
import type { EventAction } from '../../domain/record/event-action.js';
import type { EventRecord } from '../../domain/record/event-record.js';
import type { Uuid } from '../../domain/uuid.js';
import { newUuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';
import { contextBundle } from '../context/context-bundle.js';
import type { FilesByPath } from '../context/context-input.js';
import type { NamedPlaces } from '../context/named-places.js';
import { dayOfNames, readNamedPlaces } from '../context/named-places.js';
import type { CorrelationId } from '../../access/correlation-id.js';
import { CORRELATION_ID } from '../../access/correlation-id.js';
import { envelopeOf } from '../notification/envelope.js';
import type { NotificationFormat } from '../notification/notification-format.js';
import { contextText } from '../notification/notification-format.js';
import { contextSignature } from '../notification/signatures.js';
import type { Steps } from '../../database/time-slice.js';
import { stepwise, TimeSlice } from '../../database/time-slice.js';
import type { FilteredRecord } from '../record-filter/record-filter.js';
import { RecordFilter } from '../record-filter/record-filter.js';
import { readableByClient } from '../subscriptions/row-filter-of-client.js';
import { SubscriptionRegister } from '../subscriptions/subscription-register.js';
import type { Topic } from '../topic.js';
import { topicOfChange } from '../topic-of-change.js';
import { DueAnnouncements } from './due-announcements.js';
import { LaneOffers } from './lanes/lane-offers.js';
import type { Published } from './lanes/published-offers.js';
import { PublishedOffers } from './lanes/published-offers.js';
import type { ContextRow, DeliveryRow } from './outbox-writer.js';
import { OutboxWriter } from './outbox-writer.js';

/** An action that was added to an event, with the record after it. */
export interface PublishedChange {
  readonly record: EventRecord;
  readonly action: EventAction;
  /** Who notified the event; absent if nobody did. */
  readonly notifiedBy?: string | undefined;
  /** Of the request that brought it (G-5); absent: of the one that publishes. */
  readonly correlationId?: string | undefined;
}

/** The files that notifications enclose (W-13), by event; read before the transaction, which must not wait for them. */
export type FilesByEvent = ReadonlyMap<Uuid, FilesByPath>;

/** A change that has a topic. */
interface TopicalChange extends PublishedChange {
  readonly topic: Topic;
}

interface Subscriber {
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

/** Writes the outbox: one delivery for each subscription that a change concerns (W-8, W-11). */
@Injectable()
export class Publisher {
  constructor(
    private readonly clients: SystemClients,
    private readonly register: SubscriptionRegister,
    private readonly filter: RecordFilter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'SHA_SECRET_OVERLAP_SECONDS' | 'TIMEZONE'>,
    private readonly announcements: DueAnnouncements,
    private readonly lanes: LaneOffers,
    @Optional() @Inject(CORRELATION_ID) private readonly correlationId: CorrelationId = () => undefined,
  ) {}

  /**
   * Writes the deliveries of the changes in the same transaction, so that there are both or neither. Their bytes are
   * created here and stored (W-4). Deliveries to a disabled subscription are dead from the start: the gap that can be
   * replayed when it is subscribed again (W-7). Resolves with what is to be announced after the commit.
   */
  async publish(
    transaction: Queryable,
    changes: readonly PublishedChange[],
    filesOf: FilesByEvent = new Map(),
  ): Promise<Published | undefined> {
    const topical = changes.flatMap(topicalOf);
    if (topical.length === 0) return undefined;
    const audiences = await this.audiencesOf(transaction, topical);
    if (audiences.every((audience) => audience.length === 0)) return undefined;
    const places = await readNamedPlaces(
      transaction,
      topical.map(({ record }) => record),
    );
    const ownId = this.correlationId() ?? randomUUID();
    const outbox = new OutboxWriter(transaction);
    const published = new PublishedOffers(this.lanes);
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
        const delivery = deliveryOf(subscriber, known, context, (text) => sign(text, secretOf(subscriber)));
        outbox.add(delivery);
        published.add(delivery, context, subscriber);
        if (outbox.isFull) await outbox.write();
        if (slice.isOver) await slice.next();
      }
    }
    await outbox.write();
    return published;
  }

  /** Has what was published delivered at once, rather than within a second: to be called after the commit. */
  announce({ offers, isMore }: Published): void {
    const left = offers.filter((offer) => !this.lanes.offer(offer));
    if (isMore || left.length > 0) this.announceAll();
  }

  /** The same, of whatever is due. */
  announceAll(): void {
    this.announcements.announce();
  }

  /** The subscriptions that each change concerns (W-11), as of the transaction. */
  private async audiencesOf(
    transaction: Queryable,
    changes: readonly TopicalChange[],
  ): Promise<readonly (readonly Subscriber[])[]> {
    const concerned = changes.map((): ReadonlySet<Uuid> => new Set());
    for (const topic of new Set(changes.map((change) => change.topic))) {
      const ofTopic = [...changes.entries()].filter(([, change]) => change.topic === topic);
      const found = await this.register.concernedBy(
        transaction,
        topic,
        ofTopic.map(([, { record, notifiedBy }]) => ({ record, notifiedBy })),
      );
      ofTopic.forEach(([at], index) => (concerned[at] = found[index] ?? new Set()));
    }
    const ids = [...new Set(concerned.flatMap((found) => [...found]))];
    const rows = ids.length === 0 ? [] : await this.subscribersOf(transaction, ids);
    const subscribers = new Map(rows.map((subscriber) => [subscriber.id, subscriber]));
    return concerned.map((found) => [...found].flatMap((id) => subscribers.get(id) ?? []));
  }

  private subscribersOf(transaction: Queryable, ids: readonly Uuid[]): Promise<Subscriber[]> {
    return transaction.query<Subscriber>(sql`
      select s.id, s.client_id as "clientId", c.scopes, s.topic, s.callback, s.format, s.status,
             coalesce(replaced.sealed, c.sha_secret_sealed) as "shaSecretSealed",
             coalesce(replaced.generation, c.sha_secret_generation) as "shaSecretGeneration",
             c.sha_secret_generation as "currentShaSecret", now() as now
        from webhook_subscription s join system_client c using (client_id)
        -- The one under which it was last made or renewed, for a while.
        left join replaced_sha_secret replaced
          on replaced.client_id = s.client_id and replaced.generation = s.sha_secret_generation
         and replaced.replaced_at > now() - ${this.config.SHA_SECRET_OVERLAP_SECONDS} * interval '1 second'
       where s.id = any (${ids}::uuid[]) and s.deleted_at is null and s.status <> 'ended'`);
  }

  /** The record as each subscriber may see it: without secured fields if its client may not read it (E-10). */
  private shownTo(filtered: FilteredRecord): (subscriber: Subscriber) => EventRecord {
    const known = new Map<Uuid, EventRecord>();
    return ({ clientId, scopes }) => {
      const shown =
        known.get(clientId) ?? this.filter.shown(filtered, { readable: readableByClient(scopes), subject: clientId });
      known.set(clientId, shown);
      return shown;
    };
  }

  /** The secrets of subscribers, each decrypted once, however many subscriptions a client has. */
  private secretsOpenedOnce(): (subscriber: Subscriber) => Secret {
    const opened = new Map<string, Secret>();
    return ({ clientId, shaSecretSealed }) => {
      const secret = opened.get(shaSecretSealed) ?? this.clients.openShaSecret(clientId, shaSecretSealed);
      opened.set(shaSecretSealed, secret);
      return secret;
    };
  }
}

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

function deliveryOf(
  subscriber: Subscriber,
  { record, topic, correlationId }: TopicalChange & { readonly correlationId: string },
  context: ContextRow,
  sign: (text: string) => string,
): DeliveryRow {
  const { id: subscriptionId, callback, format, shaSecretGeneration, now } = subscriber;
  const id = newUuid();
  const notice = { format, deliveryId: id, subscriptionId, topic, callback, createdAt: toInstant(now) };
  const { head, tail } = envelopeOf(notice, () => sign(context.body));
  return {
    id,
    subscriptionId,
    eventId: record.id,
    contextId: context.id,
    head,
    tail,
    status: subscriber.status === 'active' ? 'pending' : 'dead',
    shaSecretGeneration,
    correlationId,
  };
}

function topicalOf(change: PublishedChange): TopicalChange[] {
  const { record, action } = change;
  const topic = topicOfChange({ eventType: record.type, action: action.type, status: action.status });
  return topic === undefined ? [] : [{ ...change, topic }];
}

/** What a change looks like to some of its audience, in each format that they ask for. */
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
