import { randomUUID } from 'node:crypto';

import { Inject, Injectable, Optional } from '@nestjs/common';

import type { CorrelationId } from '../../auth/access/correlation-id.js';
import { CORRELATION_ID } from '../../auth/access/correlation-id.js';
import { UnreadableShaSecrets } from '../../auth/clients/unreadable-sha-secrets.js';
import type { Config } from '../../platform/config/config.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Secret } from '../../platform/config/secret.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { stepwise, TimeSlice } from '../../platform/queue/time-slice.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { readNamedPlaces } from '../context/named-places.js';
import type { FilteredRecord } from '../subscriptions/record-filter.js';
import { RecordFilter } from '../subscriptions/record-filter.js';
import { readableByClient } from '../../auth/access/row-filter-of-client.js';
import { SubscriptionRegister } from '../subscriptions/subscription-register.js';
import { contextsOf } from './contexts-of-change.js';
import { DueAnnouncements } from './due-announcements.js';
import { OutboxWriter } from './outbox-writer.js';
import {
  EventPublisher,
  type FilesByEvent,
  type Published,
  type PublishedChange,
  type TopicLook,
} from '../../events/write/event-publisher.js';
import type { TopicalChange } from './published-change.js';
import { topicalOf } from './published-change.js';
import { deliveryOf, signedOnce } from './signed-delivery.js';
import type { Subscriber } from './subscriber.js';
import { subscribersOf } from './subscriber.js';

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

  /** What the database has of the topics of the changes, for `ready`; undefined if they have none. */
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

  /** The same, of whatever is due. */
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
