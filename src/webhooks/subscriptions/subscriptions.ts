import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MIB } from '../../kernel/domain/bytes.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql, type Sql } from '../../kernel/sql/sql.js';
import type { AuditEntry } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { type Queryable, retryingDeadlocks } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { callbackKey } from '../../platform/outbound/address-policy.js';
import { RELEASED } from '../../platform/outbox/leases.js';
import type { NotificationFormat } from '../notification/notification-headers.js';

const MOST_SUBSCRIPTIONS = 10_000;
/** Each is cached and tested against each change of its topic (W-9). */
const MOST_FILTERS_OF_CLIENT = 100;
const MOST_FILTERS_OF_TOPIC = 1_000;
const MOST_BYTES_OF_CLIENT = MIB;
const MOST_BYTES_OF_TOPIC = 2 * MIB;

interface Held {
  readonly subscriptions: number;
  readonly filters: number;
  readonly bytes: number;
  readonly filtersOfTopic: number;
  readonly bytesOfTopic: number;
}

export interface Growth {
  readonly isNew: boolean;
  readonly isFilterNew: boolean;
  readonly addedBytes: number;
}

/**
 * Throws 400 if `work` exceeds a bound, unless a renewal adds nothing, and 401 if the client is no longer active.
 * Requests of one client or for one topic take turns.
 */
export async function withinBounds<T extends Growth>(
  transaction: Queryable,
  { clientId, topic }: { readonly clientId: Uuid; readonly topic: Topic },
  work: () => Promise<T>,
): Promise<T> {
  // It may have been deactivated or deleted meanwhile.
  const active = await transaction.query(
    sql`select from system_client where client_id = ${clientId} and status = 'active' for no key update`,
  );
  if (active.length === 0) {
    throw new ServiceError('UNAUTHORIZED', 'The access token is not valid', {
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    });
  }
  const made = await work();
  const { isNew, isFilterNew, addedBytes } = made;
  if (!isNew && !isFilterNew && addedBytes <= 0) return made;
  const held = await heldBy(transaction, clientId, topic);
  if (isNew && held.subscriptions > MOST_SUBSCRIPTIONS) {
    throw tooMany(`hub.callback: the client has ${MOST_SUBSCRIPTIONS} subscriptions, and may not have more`);
  }
  if (isFilterNew && held.filters > MOST_FILTERS_OF_CLIENT) {
    throw tooMany(`hub.query: the client has ${MOST_FILTERS_OF_CLIENT} filters, and may not have more`);
  }
  if (isFilterNew && held.filtersOfTopic > MOST_FILTERS_OF_TOPIC) {
    throw tooMany(`hub.query: ${topic} has ${MOST_FILTERS_OF_TOPIC} filters of all clients, and may not have more`);
  }
  if (addedBytes > 0 && held.bytes > MOST_BYTES_OF_CLIENT) {
    throw tooMany(bytesExceeded('the client', held.bytes, MOST_BYTES_OF_CLIENT));
  }
  if (addedBytes > 0 && held.bytesOfTopic > MOST_BYTES_OF_TOPIC) {
    throw tooMany(bytesExceeded(topic, held.bytesOfTopic, MOST_BYTES_OF_TOPIC));
  }
  return made;
}

const bytesExceeded = (of: string, bytes: number, most: number): string =>
  `hub.query: the filters of ${of} have ${bytes} bytes together, and may have ${most}`;

async function heldBy(transaction: Queryable, clientId: Uuid, topic: Topic): Promise<Held> {
  const [held] = await transaction.query<Held>(sql`
    select count(*) filter (where is_own)::int as subscriptions,
           count(query) filter (where is_own)::int as filters,
           coalesce(sum(octet_length(query::text)) filter (where is_own), 0)::float8 as bytes,
           count(query) filter (where topic = ${topic})::int as "filtersOfTopic",
           coalesce(sum(octet_length(query::text)) filter (where topic = ${topic}), 0)::float8 as "bytesOfTopic"
      from (select topic, query, client_id = ${clientId}::uuid as is_own from webhook_subscription
             where deleted_at is null
               and (client_id = ${clientId} or topic = ${topic} and status <> 'ended')) held`);
  if (held === undefined) throw new Error('an aggregate without a row');
  return held;
}

const tooMany = (message: string): ServiceError => invalidInput(message, { refusal: 'subscriptions-full' });

export interface SubscriptionOrder {
  readonly clientId: Uuid;
  readonly topic: Topic;
  readonly callback: string;
  /** Undefined keeps the format of a renewal; a new subscription gets its client's default (W-14). */
  readonly format: NotificationFormat | undefined;
  /** Absent: the current one (W-15). */
  readonly shaSecretGeneration?: number;
  /** null sends every event of the topic; undefined keeps the query of a renewal. */
  readonly query: unknown;
}

export interface Subscription extends Pick<SubscriptionOrder, 'clientId' | 'topic' | 'callback'> {
  readonly id: Uuid;
  readonly format: NotificationFormat;
  readonly createdAt: Date;
  readonly status: 'active' | 'disabled' | 'ended';
  readonly clientName: string;
}

/** W-3. */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly database: Database,
    private readonly feed: ChangeFeed,
    private readonly audit: AuditLog,
  ) {}

  /**
   * A request for a known client, topic and callback, however written, renews the subscription: it becomes active, with
   * the latest named format and query. Throws 400 beyond a bound.
   */
  subscribe(order: SubscriptionOrder): Promise<void> {
    const { clientId, topic, callback, format, query } = order;
    return this.written(async (transaction) => {
      const made = await withinBounds(transaction, order, async () => {
        const [row] = await transaction.query<{ readonly id: Uuid } & Growth>(upsert(order));
        if (row === undefined) throw new Error('The client of a subscription is locked, and gone');
        return row;
      });
      // The query string may contain a secret of the subscriber.
      const requestData = { topic, callback: callback.replace(/\?.*/s, ''), format, query };
      await this.note(transaction, clientId, { operation: 'webhooks.subscribe', requestData, id: made.id });
    });
  }

  all(): Promise<Subscription[]> {
    return this.select(sql`true`);
  }

  async find(id: Uuid): Promise<Subscription | undefined> {
    return (await this.select(sql`s.id = ${id}`))[0];
  }

  /**
   * No delivery begins any more: at once here, after two seconds in other processes (W-3). False if there is no such
   * subscription.
   */
  async remove(clientId: Uuid, id: Uuid): Promise<boolean> {
    const removed = await this.markRemoved(clientId, id);
    if (removed) await this.feed.heed('subscription_ended');
    return removed;
  }

  private markRemoved(clientId: Uuid, id: Uuid): Promise<boolean> {
    return this.written(async (transaction) => {
      const removed = await transaction.query(sql`
        update webhook_subscription set deleted_at = now(), ${RELEASED}
         where id = ${id} and client_id = ${clientId} and deleted_at is null returning id`);
      if (removed.length === 0) return false;
      await this.note(transaction, clientId, { operation: 'webhooks.unsubscribe', requestData: { id }, id });
      await transaction.query(sql`select pg_notify('subscription_ended', '')`);
      return true;
    });
  }

  /** A renewal locks its topic before the subscription; ending and failing lock it after. */
  private written<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    return retryingDeadlocks(() => this.database.transaction(work));
  }

  /** Audited (I-2). */
  private note(
    transaction: Queryable,
    clientId: Uuid,
    { id, ...what }: Pick<AuditEntry, 'operation' | 'requestData'> & { readonly id: Uuid },
  ): Promise<void> {
    return this.audit.record(transaction, { clientId, clientType: 'system', ...what, responseSummary: { id } });
  }

  private select(condition: Sql): Promise<Subscription[]> {
    return this.database.query<Subscription>(sql`
      select s.id, s.client_id as "clientId", s.topic, s.callback, s.format, s.status,
             s.created_at as "createdAt", c.name as "clientName"
        from webhook_subscription s join system_client c using (client_id)
       where s.deleted_at is null and ${condition}
       order by s.created_at, s.id`);
  }
}

/** Sub-selects see the state before the statement, so requests of a client take turns. */
function upsert({ clientId, topic, callback, format, query, shaSecretGeneration }: SubscriptionOrder): Sql {
  const key = callbackKey(callback);
  const queryText = query === null || query === undefined ? null : JSON.stringify(query);
  return sql`
    insert into webhook_subscription (id, client_id, topic, callback, callback_key, format, query, sha_secret_generation)
    select ${randomUUID()}, client_id, ${topic}, coalesce((
             select callback from webhook_subscription same
              where same.client_id = system_client.client_id and same.topic = ${topic} and same.deleted_at is null
                and (same.callback_key = ${key} or same.callback = ${callback})
              order by same.created_at, same.id limit 1), ${callback}), ${key}, coalesce(${format ?? null}::text, webhook_format),
           ${queryText}::jsonb, coalesce(${shaSecretGeneration ?? null}::int, sha_secret_generation)
      from system_client where client_id = ${clientId}
        on conflict (client_id, topic, md5(callback)) where deleted_at is null
        do update set format = coalesce(${format ?? null}::text, webhook_subscription.format),
                      query = case when ${query === undefined} then webhook_subscription.query else excluded.query end,
                      sha_secret_generation = excluded.sha_secret_generation, status = 'active',
                      failing_since = null, renewed_at = now()
    returning id, (select count(*)::int from webhook_subscription was where was.id = webhook_subscription.id) = 0 as "isNew",
              query is not null and not exists (
                select from webhook_subscription was where was.id = webhook_subscription.id
                   and was.query is not null and was.status <> 'ended') as "isFilterNew",
              coalesce(octet_length(query::text), 0) - coalesce(
                (select octet_length(was.query::text) from webhook_subscription was
                  where was.id = webhook_subscription.id), 0) as "addedBytes"`;
}
