import { Injectable } from '@nestjs/common';

import { Primary } from '../../database/connection/primary.js';
import type { Queryable } from '../../database/queryable.js';
import { KIB, MIB } from '../../domain/bytes.js';
import type { Uuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';
import { TimeSlice } from '../../database/time-slice.js';
import type { FilteredRecord, ReadRestriction } from '../record-filter/record-filter.js';
import { RecordFilter } from '../record-filter/record-filter.js';
import type { Topic } from '../topic.js';
import type { RegisteredSubscription } from './registered-topic.js';
import { RegisteredTopic } from './registered-topic.js';
import { isSentEverything, readableByClient, rowFilterOfClient } from '../../access/row-filter-of-client.js';

/** The limit for queries whose tests are kept, by the length of their JSON; a test takes some ten times as much. */
const MOST_KEPT_BYTES = 16 * MIB;
/**
 * The tests of longer queries are made when a record first needs them: thousands of them, made when a process starts,
 * would hold it for hundreds of milliseconds at a time, because its collector copies all of them.
 */
const MOST_READY_BYTES = KIB;
/** The limit for marks by which subscriptions are found: sixteen bytes each, and up to twice that. */
const MOST_MARKS = 3_000_000;
/** How much of queries is read at a time. */
const MOST_READ_BYTES = MIB;
const MOST_READ = 500;

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
  readonly bytes: number;
}

/**
 * Which subscriptions a change concerns (W-11), from memory: those of each topic with their parsed restrictions. Every
 * publishing transaction first asks for the revision of its topics and reads, within the transaction, what has changed
 * since: the result is what is committed then, and costs one look-up if nothing has changed, however many subscriptions
 * there are. A record is checked only on those whose restriction requires something that it has.
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
    const registered = this.registered(topic);
    await this.filter.ready();
    const slice = new TimeSlice();
    const found: Set<Uuid>[] = [];
    const untried: { readonly record: FilteredRecord; readonly ids: ReadonlySet<Uuid>; readonly met: Set<Uuid> }[] = [];
    for (const { record, notifiedBy } of changes) {
      const filtered = { record, notifiedBy, now };
      const met = new Set<Uuid>();
      const notKept = new Set<Uuid>();
      for (const id of await this.candidatesFor(filtered, registered, slice)) {
        const test = registered.get(id)?.test;
        if (test === 'not kept') notKept.add(id);
        else if (test === 'unrestricted' || test?.(filtered) === true) met.add(id);
        if (slice.isOver) await slice.next();
      }
      found.push(met);
      if (notKept.size > 0) untried.push({ record: filtered, ids: notKept, met });
    }
    for await (const stored of read(transaction, [...new Set(untried.flatMap(({ ids }) => [...ids]))])) {
      const test = this.restrictionOf(stored).makeTest();
      if (this.hasRoomFor(stored)) registered.keep(stored.id, BigInt(stored.revision), test, stored.bytes);
      for (const { record, ids, met } of untried) if (ids.has(stored.id) && test(record)) met.add(stored.id);
      if (slice.isOver) await slice.next();
    }
    return found;
  }

  /** Those that the record may concern, found by its marks: the others are not checked. */
  private async candidatesFor(
    filtered: FilteredRecord,
    registered: RegisteredTopic,
    slice: TimeSlice,
  ): Promise<ReadonlySet<Uuid>> {
    const search = registered.candidates((isAsked) => this.filter.marksOf(filtered, isAsked));
    for (;;) {
      const step = search.next();
      if (step.done === true) return step.value;
      if (slice.isOver) await slice.next();
    }
  }

  private async lookAndRead(transaction: Queryable, topic: Topic): Promise<Date> {
    const looks = await this.look(transaction, [topic]);
    await this.upToDate(transaction, looks);
    return looks[0]?.now ?? new Date(0);
  }

  private registered(topic: Topic): RegisteredTopic {
    const registered = this.topics.get(topic) ?? new RegisteredTopic(() => MOST_MARKS - this.sumOf('marks'));
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
    const slice = new TimeSlice();
    const live = new Set<Uuid>();
    const changed: Uuid[] = [];
    for (const row of rows) {
      if (row.id === null) continue;
      if (!row.isLive) registered.remove(row.id);
      else if (!registered.has(row.id, BigInt(row.ownRevision))) changed.push(row.id);
      if (row.isLive) live.add(row.id);
      if (slice.isOver) await slice.next();
    }
    for await (const stored of read(transaction, changed)) {
      registered.set(this.registrationOf(stored));
      if (slice.isOver) await slice.next();
    }
    if (since === -1n) registered.retain(live);
    registered.revision = BigInt(state.revision);
    return registered.count === state.count && registered.sumOfRevisions === BigInt(state.sum);
  }

  private registrationOf(stored: StoredSubscription): RegisteredSubscription {
    const { id, query, bytes } = stored;
    const revision = BigInt(stored.revision);
    if (query === null && isSentEverything(stored.scopes)) {
      return { id, revision, test: 'unrestricted', keptBytes: 0, requirement: undefined };
    }
    const { makeTest, makeRequirement } = this.restrictionOf(stored);
    const requirement = makeRequirement();
    const isKept = bytes <= MOST_READY_BYTES && this.hasRoomFor(stored);
    return { id, revision, test: isKept ? makeTest() : 'not kept', keptBytes: isKept ? bytes : 0, requirement };
  }

  private hasRoomFor({ bytes }: StoredSubscription): boolean {
    return this.sumOf('keptBytes') + bytes <= MOST_KEPT_BYTES;
  }

  private sumOf(what: 'keptBytes' | 'marks'): number {
    return [...this.topics.values()].reduce((sum, topic) => sum + topic[what], 0);
  }

  private restrictionOf({ query, scopes, clientId }: StoredSubscription): ReadRestriction {
    return this.filter.read({
      query,
      rowFilter: rowFilterOfClient(scopes, clientId),
      readable: readableByClient(scopes, clientId),
      client: clientId,
    });
  }
}

/** The subscriptions among `ids`, in portions that fit into memory. */
async function* read(transaction: Queryable, ids: readonly Uuid[]): AsyncGenerator<StoredSubscription> {
  let most = MOST_READ;
  for (let left = ids; left.length > 0;) {
    const rows = await transaction.query<StoredSubscription & { readonly place: number }>(sql`
      select * from (
        select s.id, s.revision, s.client_id as "clientId", c.scopes, s.query,
               coalesce(octet_length(s.query::text), 0) as bytes, wanted.place::int as place,
               row_number() over (order by wanted.place) as rank,
               sum(octet_length(s.query::text)) over (order by wanted.place) as total
          from unnest(${left.slice(0, most)}::uuid[]) with ordinality as wanted (id, place)
          join webhook_subscription s using (id) join system_client c using (client_id)) portion
       where rank = 1 or total is null or total <= ${MOST_READ_BYTES}
       order by place`);
    yield* rows;
    left = left.slice(rows.at(-1)?.place ?? most);
    // Of long ones, hardly more are read than fit: everything read is serialized as text.
    most = Math.min(MOST_READ, 2 * Math.max(1, rows.length));
  }
}
