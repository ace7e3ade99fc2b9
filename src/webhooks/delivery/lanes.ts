import { randomUUID } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import { SystemClients } from '../../auth/system-clients/system-clients.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import type { Secret } from '../../config/secret.js';
import { Database } from '../../database/database.js';
import type { Uuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';
import type { NotificationFormat } from '../notification/notification-format.js';

/** The right to deliver to one subscription: good until it is used, given back, or left lying. */
export interface Claim {
  readonly subscriptionId: Uuid;
  readonly token: string;
  /** Whether its latest delivery failed. */
  readonly failing: boolean;
}

/** A delivery that is due, with the bytes that were made of it. */
export interface DueDelivery {
  readonly id: Uuid;
  readonly body: Buffer;
  readonly correlationId: string;
  /** Attempts that have failed so far. */
  readonly failures: number;
  /** Since when it has been due, by the database's clock. */
  readonly dueMs: number;
}

/** What a claim holds: the subscriber, and some of what is due to it. */
export interface Held {
  readonly callback: URL;
  readonly format: NotificationFormat;
  readonly key: Secret;
  /** The database's clock, which alone counts. */
  readonly nowMs: number;
  /** In the order in which they are due. */
  readonly deliveries: readonly DueDelivery[];
  /** Whether more may be due than was read. */
  readonly more: boolean;
}

interface HeldRow {
  /** With the first row alone. */
  readonly subscriber: Subscriber | null;
  /** How many were found, before `MOST_TEXT_BYTES`. */
  readonly found: string;
  readonly id: Uuid | null;
  readonly body: string;
  readonly correlationId: string;
  readonly failures: number;
  readonly dueMs: number;
}

interface Subscriber {
  readonly clientId: Uuid;
  readonly callback: string;
  readonly format: NotificationFormat;
  readonly shaSecretSealed: string;
  readonly nowMs: number;
}

/** At most this much text is read at a time, unless a single delivery has more. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;
/** A dispatched claim that nobody takes up within this time is lost: the process died, or Redis forgot it. */
const HANDOVER_SECONDS = 5;
/** After a restart of Postgres, whoever delivered meanwhile notes it before anybody delivers again. */
const GRACE_SECONDS = 3;

/**
 * Each subscription is a lane that one process at a time delivers to (W-8): a lease with a claim token says which one,
 * `SKIP LOCKED` lets processes pass each other, and every time is the database's. That is what bounds the deliveries
 * under way to one subscription over all processes (W-9), and it takes one write for a whole batch of deliveries.
 */
@Injectable()
export class Lanes {
  private readonly leaseSeconds: number;

  constructor(
    private readonly database: Database,
    private readonly clients: SystemClients,
    @Inject(CONFIG) { webhookLeaseSeconds }: Pick<Config, 'webhookLeaseSeconds'>,
  ) {
    this.leaseSeconds = webhookLeaseSeconds;
  }

  /** Claims lanes on which something is due: those that work first, failing ones only `withFailing`. */
  claim(most: number, withFailing: boolean): Promise<Claim[]> {
    return this.database.query<Claim>(sql`
      with lane as (
        select s.id
          from webhook_subscription s join system_client c using (client_id)
         where s.status = 'active' and s.deleted_at is null and c.status = 'active'
           and (s.claim_token is null
             or greatest(s.claimed_until, pg_postmaster_start_time() + ${GRACE_SECONDS} * interval '1 second') <= now())
           and (${withFailing}::boolean or s.failing_since is null)
           and exists (select from webhook_delivery d
                        where d.subscription_id = s.id and d.status = 'pending' and d.next_attempt_at <= now())
         order by s.failing_since is not null, random()
         limit ${most}
           for no key update of s skip locked
      )
      update webhook_subscription s
         set claim_token = gen_random_uuid(),
             claimed_until = now() + ${Math.min(HANDOVER_SECONDS, this.leaseSeconds)} * interval '1 second'
        from lane where s.id = lane.id
      returning s.id as "subscriptionId", s.claim_token as token, s.failing_since is not null as failing`);
  }

  /**
   * Takes a claim up, under a token that is known here alone: of two who were handed the same claim, one gets it.
   * Undefined when it is somebody else's by now, or nothing may be delivered any more.
   */
  async open(claim: Claim, most: number): Promise<{ readonly claim: Claim; readonly held: Held } | undefined> {
    const opened = { ...claim, token: randomUUID() };
    const held = await this.renewAndRead(claim, opened.token, [], most);
    return held && { claim: opened, held };
  }

  /** Renews the lease and reads up to `most` more deliveries that are due, but for `except`. Undefined as above. */
  take(claim: Claim, except: readonly string[], most: number): Promise<Held | undefined> {
    return this.renewAndRead(claim, claim.token, except, most);
  }

  /** Lets go of a lane, if it is still held. */
  async release({ subscriptionId, token }: Claim): Promise<void> {
    await this.database.query(sql`
      update webhook_subscription set claim_token = null, claimed_until = null
       where id = ${subscriptionId} and claim_token = ${token}`);
  }

  private async renewAndRead(
    { subscriptionId, token }: Claim,
    next: string,
    except: readonly string[],
    most: number,
  ): Promise<Held | undefined> {
    const rows = await this.database.query<HeldRow>(sql`
      with held as (
        update webhook_subscription s
           set claim_token = ${next}, claimed_until = now() + ${this.leaseSeconds} * interval '1 second'
          from system_client c
         where s.id = ${subscriptionId} and s.claim_token = ${token} and s.status = 'active' and s.deleted_at is null
           and c.client_id = s.client_id and c.status = 'active'
        returning json_build_object(
          'clientId', c.client_id, 'callback', s.callback, 'format', s.format, 'shaSecretSealed', c.sha_secret_sealed,
          'nowMs', extract(epoch from clock_timestamp()) * 1000) as subscriber
      ), due as (
        select d.*, context.body as context, count(*) over () as found, row_number() over oldest as rank,
               sum(octet_length(context.body)) over oldest as bytes
          from (select id, context_id, head, tail, correlation_id, failures, next_attempt_at from webhook_delivery
                 where subscription_id = ${subscriptionId} and status = 'pending' and next_attempt_at <= now()
                   and id <> all (${except}::uuid[])
                 order by next_attempt_at, id limit ${most}) d
          join webhook_context context on context.id = d.context_id
        window oldest as (order by d.next_attempt_at, d.id)
      )
      select case when coalesce(due.rank, 1) = 1 then held.subscriber end as subscriber, due.found,
             due.id, due.head || due.context || due.tail as body, due.correlation_id as "correlationId", due.failures,
             extract(epoch from due.next_attempt_at)::float8 * 1000 as "dueMs"
        from held
        left join due on due.rank = 1 or due.bytes <= ${MOST_TEXT_BYTES}
       order by due.rank`);
    const [first] = rows;
    if (!first?.subscriber) return undefined;
    const { clientId, callback, format, shaSecretSealed, nowMs } = first.subscriber;
    const deliveries = rows.flatMap((row) => (row.id === null ? [] : [dueDelivery(row, row.id)]));
    const found = Number(first.found);
    return {
      callback: new URL(callback),
      format,
      key: this.clients.openShaSecret(clientId, shaSecretSealed),
      nowMs,
      deliveries,
      more: found === most || found > deliveries.length,
    };
  }
}

const dueDelivery = ({ body, correlationId, failures, dueMs }: HeldRow, id: Uuid): DueDelivery => ({
  id,
  body: Buffer.from(body),
  correlationId,
  failures,
  dueMs,
});
