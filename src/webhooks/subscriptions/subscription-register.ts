import { Inject, Injectable } from '@nestjs/common';
import { isSentEverything, readableByClient, rowFilterOfClient } from '../../auth/access/covers.js';
import type { TopicLook } from '../../events/write/event-publisher.js';
import { inGroupsOf } from '../../kernel/domain/in-groups-of.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { Primary } from '../../platform/database/connection/primary.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { TimeSlice } from '../../platform/queue/time-slice.js';
import { type FilteredRecord, RecordFilter, type RecordTest } from './record-filter.js';

const MOST_READ = 500;
/** Other work has its turn every few milliseconds. */
const TESTED_AT_ONCE = 250;

const IS_LIVE = sql`(deleted_at is null and status <> 'ended')`;

interface ListedSubscription {
  readonly id: Uuid;
  readonly ownRevision: string;
  readonly isLive: boolean;
}

interface TopicState {
  readonly revision: string;
  readonly count: number;
  readonly sum: string;
}

interface StoredSubscription {
  readonly id: Uuid;
  readonly revision: string;
  readonly clientId: Uuid;
  readonly scopes: readonly string[];
  readonly query: unknown;
}

interface RegisteredSubscription {
  readonly revision: bigint;
  /** Undefined: every event of the topic is sent. */
  readonly test: RecordTest | undefined;
}

interface RegisteredTopic {
  revision: bigint;
  readonly subscriptions: Map<Uuid, RegisteredSubscription>;
}

/**
 * From memory (W-11): every publishing transaction first reads what has changed of its topics. `subscription-bounds.ts`
 * limits the filters of a topic (W-9).
 */
@Injectable()
export class SubscriptionRegister {
  private readonly topics = new Map<Topic, RegisteredTopic>();
  /** Transactions must not read the same changes concurrently. */
  private reading: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(RecordFilter) private readonly filter: Pick<RecordFilter, 'ready' | 'testOf'>,
    primary: Primary,
  ) {
    // Lost revisions may have been assigned again.
    primary.onNewServer(() => {
      this.topics.clear();
    });
  }

  /** For `upToDate`. */
  look(transaction: Queryable, topics: readonly Topic[]): Promise<readonly TopicLook[]> {
    return transaction.query<TopicLook>(sql`
      select topic, revision, now() as now
        from unnest(${topics}::text[]) as asked (topic) left join webhook_topic using (topic)`);
  }

  /**
   * Other transactions wait for this one, whatever they have locked, so none of its statements may be waiting for a
   * lock.
   */
  async upToDate(transaction: Queryable, looks: readonly TopicLook[]): Promise<void> {
    for (const { topic, revision } of looks) {
      const registered = this.registered(topic);
      if (revision === null || BigInt(revision) === registered.revision) continue;
      const turn = this.reading.then(() => this.catchUp(transaction, topic, registered));
      this.reading = turn.catch(() => undefined);
      await turn;
    }
  }

  /** One set of ids for each change. `upToDateAt` is the time of the look passed to `upToDate`. */
  async concernedBy(
    transaction: Queryable,
    topic: Topic,
    changes: readonly Omit<FilteredRecord, 'now'>[],
    upToDateAt?: Date,
  ): Promise<readonly ReadonlySet<Uuid>[]> {
    const now = upToDateAt ?? (await this.lookAndRead(transaction, topic));
    // Other transactions change the register meanwhile.
    const subscriptions = [...this.registered(topic).subscriptions];
    await this.filter.ready();
    const slice = new TimeSlice();
    const found: Set<Uuid>[] = [];
    let tested = 0;
    for (const { record, notifiedBy } of changes) {
      const filtered = { record, notifiedBy, now };
      const met = new Set<Uuid>();
      for (const [id, { test }] of subscriptions) {
        if (test === undefined || test(filtered)) met.add(id);
        if (test !== undefined && ++tested % TESTED_AT_ONCE === 0) await slice.next();
      }
      found.push(met);
    }
    return found;
  }

  private async lookAndRead(transaction: Queryable, topic: Topic): Promise<Date> {
    const looks = await this.look(transaction, [topic]);
    await this.upToDate(transaction, looks);
    return looks[0]?.now ?? new Date(0);
  }

  private registered(topic: Topic): RegisteredTopic {
    const registered = this.topics.get(topic) ?? { revision: -1n, subscriptions: new Map() };
    this.topics.set(topic, registered);
    return registered;
  }

  /** If history was lost, or ended subscriptions were removed, subscriptions are compared one by one. */
  private async catchUp(transaction: Queryable, topic: Topic, registered: RegisteredTopic): Promise<void> {
    if (await this.readChanges(transaction, topic, registered, registered.revision)) return;
    await this.readChanges(transaction, topic, registered, -1n);
  }

  /** Whether the register then agrees with the database. `since` is -1 to skip removed ones, which may be very many. */
  private async readChanges(
    transaction: Queryable,
    topic: Topic,
    registered: RegisteredTopic,
    since: bigint,
  ): Promise<boolean> {
    // A single value would be parsed in one piece.
    const rows = await transaction.query<TopicState & (ListedSubscription | { readonly id: null })>(sql`
      select t.revision, live.*, changed.*
        from webhook_topic t
       cross join lateral (
         select count(*)::int as count, coalesce(sum(revision), 0)::text as sum
           from webhook_subscription where topic = t.topic and ${IS_LIVE}) live
        left join lateral (
         select id, revision::text as "ownRevision", ${IS_LIVE} as "isLive"
           from webhook_subscription
          where topic = t.topic and revision > ${since}::bigint and (${since}::bigint >= 0 or ${IS_LIVE})) changed on true
       where t.topic = ${topic}`);
    const [state] = rows;
    if (state === undefined) return true;
    const { subscriptions } = registered;
    const slice = new TimeSlice();
    const live = new Set<Uuid>();
    const changed: Uuid[] = [];
    for (const { id, isLive, ownRevision } of rows.filter((row) => row.id !== null)) {
      if (!isLive) subscriptions.delete(id);
      else if (subscriptions.get(id)?.revision !== BigInt(ownRevision)) changed.push(id);
      if (isLive) live.add(id);
    }
    for await (const stored of read(transaction, changed)) {
      subscriptions.set(stored.id, this.registrationOf(stored));
      if (slice.isOver) await slice.next();
    }
    if (since === -1n) for (const id of subscriptions.keys()) if (!live.has(id)) subscriptions.delete(id);
    registered.revision = BigInt(state.revision);
    const sum = [...subscriptions.values()].reduce((total, { revision }) => total + revision, 0n);
    return subscriptions.size === state.count && sum === BigInt(state.sum);
  }

  private registrationOf({ revision, query, scopes, clientId }: StoredSubscription): RegisteredSubscription {
    return {
      revision: BigInt(revision),
      test:
        query === null && isSentEverything(scopes)
          ? undefined
          : this.filter.testOf({
              query,
              rowFilter: rowFilterOfClient(scopes, clientId),
              readable: readableByClient(scopes, clientId),
              client: clientId,
            }),
    };
  }
}

/** Some at a time. */
async function* read(transaction: Queryable, ids: readonly Uuid[]): AsyncGenerator<StoredSubscription> {
  for (const some of inGroupsOf(ids, MOST_READ)) {
    yield* await transaction.query<StoredSubscription>(sql`
      select s.id, s.revision, s.client_id as "clientId", c.scopes, s.query
        from webhook_subscription s join system_client c using (client_id) where s.id = any (${some}::uuid[])`);
  }
}
