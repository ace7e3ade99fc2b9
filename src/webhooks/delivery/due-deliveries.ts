import { Inject, Injectable } from '@nestjs/common';
import {
  type ReplacedShaSecret,
  type SealedShaSecret,
  ShaSecrets,
  UnreadableShaSecrets,
} from '../../auth/clients/sha-secrets.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Secret } from '../../platform/config/secret.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { TimeSlice } from '../../platform/queue/time-slice.js';
import { formatOfBody, signedLater } from '../notification/envelope.js';
import { contextSignature, type NotificationFormat } from '../notification/notification-headers.js';
import type { ClaimedSubscription } from './delivery-claims.js';
import { NOT_SIGNED } from './outbox-writer.js';

/** A delivery that was read, signed or not. */
interface Readable {
  readonly id: Uuid;
  readonly body: string;
  /** Null if it is signed. */
  readonly unsignedHead: string | null;
  readonly shaSecretGeneration: number;
}

/**
 * Signs those that were published while their secret could not be read, before their first attempt, and stores that:
 * every attempt sends the same bytes (W-4). Those that somebody else has signed meanwhile are left out.
 */
export async function signLate<D extends Readable>(
  database: Queryable,
  deliveries: readonly D[],
  { secret, generation }: { readonly secret: Secret; readonly generation: number },
): Promise<readonly D[]> {
  const slice = new TimeSlice();
  const heads = new Map<Uuid, string>();
  const whole: D[] = [];
  for (const delivery of deliveries) {
    const { id, body, unsignedHead } = delivery;
    if (unsignedHead === null) {
      whole.push(delivery);
      continue;
    }
    const signed = signedLater({ head: unsignedHead, body }, (context) => contextSignature(context, secret));
    heads.set(id, signed.head);
    whole.push({ ...delivery, body: signed.body, shaSecretGeneration: generation });
    if (slice.isOver) await slice.next();
  }
  if (heads.size === 0) return whole;
  const stored = await database.query<{ readonly id: Uuid }>(sql`
    update webhook_delivery d set head = new.head, sha_secret_generation = ${generation}
      from unnest(${[...heads.keys()]}::uuid[], ${[...heads.values()]}::text[]) as new (id, head)
     where d.id = new.id and d.sha_secret_generation = ${NOT_SIGNED}
    returning d.id`);
  const ours = new Set(stored.map(({ id }) => id));
  return whole.filter(({ id }) => !heads.has(id) || ours.has(id));
}

/** A delivery that is due, with its stored bytes. */
export interface DueDelivery {
  readonly id: Uuid;
  readonly format: NotificationFormat;
  readonly body: Buffer;
  readonly correlationId: string;
  /** Failed attempts so far. */
  readonly failures: number;
  /** When it became due, by the database's clock. */
  readonly dueMs: number;
  /** The generation of the `sha_secret` under which it was created (W-15). */
  readonly shaSecretGeneration: number;
}

/** A claimed subscription, and some of its due deliveries. */
export interface Held {
  readonly clientId: Uuid;
  readonly callback: string;
  /** Those of the client. */
  readonly secrets: ShaSecrets;
  /** By the database's clock, the only one that counts. */
  readonly nowMs: number;
  /** In the order in which they became due. */
  readonly deliveries: readonly DueDelivery[];
  /** Whether more may be due than was read. */
  readonly more: boolean;
}

/** How much to read at a time. */
export interface Amount {
  readonly most: number;
  /** In text, unless a single delivery is larger. */
  readonly bytes: number;
}

interface HeldRow {
  /** In the first row only. */
  readonly subscriber: Subscriber | null;
  /** How many were found, before the limit on text. */
  readonly found: string;
  readonly id: Uuid | null;
  readonly body: string;
  /** Null if the delivery is signed. */
  readonly unsignedHead: string | null;
  readonly correlationId: string;
  readonly failures: number;
  readonly dueMs: number;
  readonly shaSecretGeneration: number;
}

interface Subscriber {
  readonly clientId: Uuid;
  readonly callback: string;
  readonly current: SealedShaSecret;
  readonly replaced: readonly ReplacedShaSecret[];
  /** The generation under which the subscription was last made or renewed. */
  readonly generation: number;
  readonly nowMs: number;
}

/** Reads what is due of a claimed subscription (W-8). */
@Injectable()
export class DueDeliveries {
  private readonly overlapSeconds: number;

  constructor(
    private readonly database: Database,
    private readonly secrets: UnreadableShaSecrets,
    @Inject(CONFIG) config: Pick<Config, 'SHA_SECRET_OVERLAP_SECONDS'>,
  ) {
    this.overlapSeconds = config.SHA_SECRET_OVERLAP_SECONDS;
  }

  /**
   * Reads due deliveries, except `except`. Undefined if the claim is not valid any more, nothing may be delivered to the
   * subscription, or the secret that signs cannot be read.
   */
  async read(
    { subscriptionId, token }: Pick<ClaimedSubscription, 'subscriptionId' | 'token'>,
    except: readonly string[],
    { most, bytes }: Amount,
  ): Promise<Held | undefined> {
    const rows = await this.database.query<HeldRow>(sql`
      with held as materialized (
        select json_build_object(
          'clientId', c.client_id, 'callback', s.callback, 'generation', s.sha_secret_generation,
          'current', json_build_object('generation', c.sha_secret_generation, 'sealed', c.sha_secret_sealed),
          'replaced', case c.sha_secret_generation when 0 then '[]' else (
            select coalesce(json_agg(json_build_object('generation', generation, 'sealed', sealed, 'isRecent',
                     replaced_at > now() - ${this.overlapSeconds} * interval '1 second')), '[]')
              from replaced_sha_secret where client_id = c.client_id) end,
          'nowMs', extract(epoch from clock_timestamp()) * 1000) as subscriber
          from webhook_subscription s join system_client c using (client_id)
         where s.id = ${subscriptionId} and s.claim_token = ${token} and s.status = 'active' and s.deleted_at is null
           and c.status = 'active'
      ), due as (
        select d.*, context.body as context, count(*) over () as found, row_number() over oldest as rank,
               sum(octet_length(context.body)) over oldest as bytes
          from (select id, context_id, head, tail, correlation_id, failures, next_attempt_at, sha_secret_generation
                  from webhook_delivery
                 where subscription_id = ${subscriptionId} and status = 'pending' and next_attempt_at <= now()
                   and id <> all (${except}::uuid[])
                 order by next_attempt_at, id limit ${most}) d
          join webhook_context context on context.id = d.context_id
        window oldest as (order by d.next_attempt_at, d.id)
      )
      select case when coalesce(due.rank, 1) = 1 then held.subscriber end as subscriber, due.found,
             due.id, due.head || due.context || due.tail as body, due.correlation_id as "correlationId", due.failures,
             case when due.sha_secret_generation = ${NOT_SIGNED} then due.head end as "unsignedHead",
             extract(epoch from due.next_attempt_at)::float8 * 1000 as "dueMs",
             due.sha_secret_generation as "shaSecretGeneration"
        from held
        left join due on due.rank = 1 or due.bytes <= ${bytes}
       order by due.rank`);
    const [first] = rows;
    if (!first?.subscriber) return undefined;
    const { clientId, callback, current, replaced, generation, nowMs } = first.subscriber;
    const secrets = new ShaSecrets(current, replaced, (sealed) => this.secrets.read(clientId, sealed));
    const signer = secrets.creating(generation);
    if (signer === undefined) return undefined;
    const found = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ id, ...row }]));
    const deliveries = (await signLate(this.database, found, signer)).map(dueDelivery);
    const count = Number(first.found);
    return { clientId, callback, secrets, nowMs, deliveries, more: count === most || count > deliveries.length };
  }
}

const dueDelivery = ({
  id,
  body,
  correlationId,
  failures,
  dueMs,
  shaSecretGeneration,
}: HeldRow & { readonly id: Uuid }): DueDelivery => ({
  id,
  format: formatOfBody(body),
  body: Buffer.from(body),
  correlationId,
  failures,
  dueMs,
  shaSecretGeneration,
});
