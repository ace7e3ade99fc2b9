import { Injectable } from '@nestjs/common';
import { Primary } from '../../platform/database/connection/primary.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { inGroupsOf } from '../../kernel/domain/in-groups-of.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { TimeSlice } from '../../platform/queue/time-slice.js';
import { type FilteredRecord, RecordFilter, type RecordTest } from './record-filter.js';
import type { Topic } from '../topic.js';
import { isSentEverything, readableByClient, rowFilterOfClient } from '../../auth/access/row-filter-of-client.js';

/** How many subscriptions are read at a time. */
const MOST_READ = 500;
/** How many filters a record is tested against before other work has its turn: a few milliseconds at most. */
const TESTED_AT_ONCE = 250;

/** A condition: whether a subscription is neither removed nor ended. */
const IS_LIVE = sql`(deleted_at is null and status <> 'ended')`;

/** The revision of a topic, null if it never had a subscription, and the time of the transaction. */
export interface TopicLook {
  readonly topic: Topic;
  readonly revision: string | null;
  readonly now: Date;
}

interface ListedSubscription {
  readonly id: Uuid;
  readonly ownRevision: string;
  readonly isLive: boolean;
}

/** What the database has of a topic: its revision, and the number and sum of revisions of live subscriptions. */
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

/** The part of a subscription that decides which changes concern it. */
interface RegisteredSubscription {
  readonly revision: bigint;
  /** Undefined: it is sent every event of the topic. */
  readonly test: RecordTest | undefined;
}

/** The live subscriptions of one topic, as of a revision. */
interface RegisteredTopic {
  /** Below every revision: nothing has been read yet. */
  revision: bigint;
  readonly subscriptions: Map<Uuid, RegisteredSubscription>;
}

/**
 * Which subscriptions a change concerns (W-11), from memory: those of each topic with their parsed restrictions. Every
 * publishing transaction reads, within the transaction, what has changed of its topics since the last one. A record is
 * tested against each filter of its topic, of which `subscription-bounds.ts` limits the number (W-9).
 */
@Injectable()
export class SubscriptionRegister {
  private readonly topics = new Map<Topic, RegisteredTopic>();
  /** Several transactions must not read the same changes at the same time. */
  private reading: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly filter: RecordFilter,
    primary: Primary,
  ) {
    // Lost revisions may have been assigned again.
    primary.onNewServer(() => {
      this.topics.clear();
    });
  }

  /** Reads the subscriptions of a topic now, so that its first change need not. */
  async readAhead(transaction: Queryable, topic: Topic): Promise<void> {
    await this.lookAndRead(transaction, topic);
  }

  /** What the database has of these topics, for `upToDate`. */
  look(transaction: Queryable, topics: readonly Topic[]): Promise<readonly TopicLook[]> {
    return transaction.query<TopicLook>(sql`
      select topic, revision, now() as now
        from unnest(${topics}::text[]) as asked (topic) left join webhook_topic using (topic)`);
  }

  /**
   * Reads what has changed of topics. Other transactions wait for the one that does, whatever they have locked: nothing
   * that was sent in it may be waiting for anybody's lock.
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

  /**
   * The ids of the subscriptions that each change concerns, one set for each of `changes`. `upToDateAt`: that of the
   * look with which the transaction has brought the topic up to date before.
   */
  async concernedBy(
    transaction: Queryable,
    topic: Topic,
    changes: readonly Omit<FilteredRecord, 'now'>[],
    upToDateAt?: Date,
  ): Promise<readonly ReadonlySet<Uuid>[]> {
    const now = upToDateAt ?? (await this.lookAndRead(transaction, topic));
    // Other transactions bring the register up to date meanwhile.
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

  /**
   * Reads what has changed since. If the database then still has other subscriptions, because it has lost some of its
   * history or removed ended ones, they are compared one by one.
   */
  private async catchUp(transaction: Queryable, topic: Topic, registered: RegisteredTopic): Promise<void> {
    if (await this.readChanges(transaction, topic, registered, registered.revision)) return;
    await this.readChanges(transaction, topic, registered, -1n);
  }

  /**
   * Whether the register then agrees with the database. `since` is -1 to read all that are live: those that were removed
   * may be very many.
   */
  private async readChanges(
    transaction: Queryable,
    topic: Topic,
    registered: RegisteredTopic,
    since: bigint,
  ): Promise<boolean> {
    // Rows, since one value with all of them would be parsed in one piece.
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

/** The subscriptions among `ids`, some at a time. */
async function* read(transaction: Queryable, ids: readonly Uuid[]): AsyncGenerator<StoredSubscription> {
  for (const some of inGroupsOf(ids, MOST_READ)) {
    yield* await transaction.query<StoredSubscription>(sql`
      select s.id, s.revision, s.client_id as "clientId", c.scopes, s.query
        from webhook_subscription s join system_client c using (client_id) where s.id = any (${some}::uuid[])`);
  }
}
