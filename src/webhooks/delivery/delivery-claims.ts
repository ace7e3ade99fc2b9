import { Inject, Injectable } from '@nestjs/common';
import { UnreadableShaSecrets } from '../../auth/clients/sha-secrets.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { SessionLock } from '../../platform/database/connection/session-lock.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import {
  type Chosen,
  type ClaimBounds,
  type Due,
  isFree,
  type Pace,
  RELEASED,
  RowClaims,
} from '../../platform/outbox/leases.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Subscriptions of one client that answer equally soon: of equally quick ones, clients take turns (Q-2). */
export interface DeliveryKind {
  readonly clientId: Uuid;
  readonly pace: Pace;
}

/** A subscription to which this process alone may deliver. */
export interface ClaimedSubscription extends DeliveryKind {
  readonly subscriptionId: Uuid;
  readonly token: string;
}

/** How a claim was found to stand. */
interface Standing {
  readonly token: string;
  readonly isRenewed: boolean;
  /** Whether something has been due for a while that this process has not read: its announcement was lost. */
  readonly isDue: boolean;
}

/** A claim to confirm, and whether to renew its lease. */
interface Confirmation {
  readonly claim: ClaimedSubscription;
  readonly isDueForRenewal: boolean;
}

/**
 * Subscriptions to which one process delivers at a time. Those that turn slow leave the share of the others free, until
 * there are very many. Few are claimed at a time, so that processes share what becomes due together.
 */
const BOUNDS: ClaimBounds = {
  all: 2_000,
  ofPace: { quick: 500, unknown: 250, slow: 500 },
  ofAKind: { quick: 500, unknown: 250, slow: 500 },
  atATime: 16,
};
/** How long a confirmation counts: what others ended stops within two seconds (W-3, W-12). */
const CONFIRMED_FOR_MS = 1_900;
/** A delivery that is due for so long was not announced, or its announcement was lost. */
const UNANNOUNCED_SECONDS = 0.5;

/**
 * Claims a subscription for one process at a time. This limits what is in progress over all processes (W-9), and takes
 * one write for many deliveries. Deliveries that become due meanwhile are the holder's.
 */
@Injectable()
export class DeliveryClaims extends RowClaims<DeliveryKind, ClaimedSubscription> {
  readonly held = new Set<DeliveryKind>();
  private readonly overlapSeconds: number;

  constructor(
    database: Database,
    lock: SessionLock,
    private readonly control: ControlDatabase,
    private readonly unreadable: UnreadableShaSecrets,
    @Inject(CONFIG)
    config: Pick<Config, 'webhookLeaseSeconds' | 'WEBHOOK_TIMEOUT_SECONDS' | 'SHA_SECRET_OVERLAP_SECONDS'>,
  ) {
    const { webhookLeaseSeconds, WEBHOOK_TIMEOUT_SECONDS } = config;
    const terms = {
      leaseMs: webhookLeaseSeconds * 1_000,
      timeoutMs: WEBHOOK_TIMEOUT_SECONDS * 1_000,
      confirmedForMs: CONFIRMED_FOR_MS,
    };
    super(database, lock, { table: sql`webhook_subscription`, key: sql`id`, bounds: BOUNDS, terms });
    this.overlapSeconds = config.SHA_SECRET_OVERLAP_SECONDS;
  }

  /**
   * Confirms claims of subscriptions that may be delivered to, by their tokens; `read`: deliveries that are known to be
   * due. It uses a connection of its own, since nothing begins unless it is confirmed in time.
   */
  async confirm(claims: readonly Confirmation[], read: readonly Uuid[]): Promise<ReadonlyMap<string, Standing>> {
    const idsOf = (some: typeof claims): readonly Uuid[] => some.map(({ claim }) => claim.subscriptionId);
    const tokensOf = (some: typeof claims): readonly string[] => some.map(({ claim }) => claim.token);
    const renewable = claims.filter(({ isDueForRenewal }) => isDueForRenewal);
    const rows = await this.control.query<Standing>(sql`
      with renewed as (
        update webhook_subscription
           set claimed_until = now() + ${this.terms.leaseMs / 1_000} * interval '1 second'
         where id in (select id from webhook_subscription
                       where id = any (${idsOf(renewable)}::uuid[]) and claim_token = any (${tokensOf(renewable)}::uuid[])
                         for no key update skip locked)
        returning claim_token
      )
      select s.claim_token as token, s.claim_token in (select claim_token from renewed) as "isRenewed", exists (
               select from webhook_delivery d
                where d.subscription_id = s.id and d.status = 'pending'
                  and d.next_attempt_at <= now() - ${UNANNOUNCED_SECONDS} * interval '1 second'
                  and d.id <> all (${read}::uuid[])) as "isDue"
        from webhook_subscription s join system_client c using (client_id)
       where s.id = any (${idsOf(claims)}::uuid[]) and s.claim_token = any (${tokensOf(claims)}::uuid[])
         and s.status = 'active' and s.deleted_at is null and c.status = 'active'`);
    return new Map(rows.map((row) => [row.token, row]));
  }

  /** Others may deliver to it, if it is still held under this claim. */
  async release({ subscriptionId, token }: ClaimedSubscription): Promise<void> {
    await this.database.query(sql`
      update webhook_subscription set ${RELEASED} where id = ${subscriptionId} and claim_token = ${token}`);
  }

  protected async dueOf(database: Queryable): Promise<readonly (DeliveryKind & Due)[]> {
    const where = this.unreadable.areAny ? this.isReadable : sql`true`;
    const found = await database.query<DeliveryKind & Pick<Due, 'due'>>(dueSubscriptions(BOUNDS.atATime, where));
    const held = [...this.held];
    const kinds = new Map(held.map(({ clientId, pace }) => [`${clientId} ${pace}`, { clientId, pace, claimed: 0 }]));
    for (const { clientId, pace } of held) {
      const kind = kinds.get(`${clientId} ${pace}`);
      if (kind !== undefined) kind.claimed += 1;
    }
    const due = found.map((kind) => {
      const name = `${kind.clientId} ${kind.pace}`;
      const { claimed = 0 } = kinds.get(name) ?? {};
      kinds.delete(name);
      return { ...kind, claimed };
    });
    return [...due, ...[...kinds.values()].map((kind) => ({ ...kind, due: [] }))];
  }

  protected claiming({ rows, lease }: Chosen): Sql {
    return sql`
      with chosen as (
        select s.id, chosen.token from ${rows} join webhook_subscription s using (id)
         -- Once more, since somebody may have changed it until it was locked.
         where ${MAY_BE_CLAIMED}
           for no key update of s skip locked
      )
      update webhook_subscription s
         set ${lease}
        from chosen where s.id = chosen.id
      returning s.id as "subscriptionId", s.client_id as "clientId", s.claim_token as token, ${PACE} as pace`;
  }

  /** Whether neither the client's secret nor the one that signs for the subscription is known to be unreadable. */
  private get isReadable(): Sql {
    return sql`not exists (
         select from (select c.sha_secret_sealed as sealed
                       union all
                      select sealed from replaced_sha_secret
                       where client_id = c.client_id and generation = s.sha_secret_generation
                         and replaced_at > now() - ${this.overlapSeconds} * interval '1 second') secret
          where ${this.unreadable.includes(sql`c.client_id`, sql`secret.sealed`)})`;
  }
}

/** `s` is the subscription. */
const MAY_BE_CLAIMED = sql`s.status = 'active' and s.deleted_at is null and s.client_active and ${isFree(sql`s`)}`;
const PACE = sql`case when s.failing_since is not null or s.slow then 'slow'
                      when s.slow is null then 'unknown' else 'quick' end`;

/**
 * Subscriptions on which something is due, by kind, of each in random order; `where`: a condition on a subscription `s`
 * and its client `c`. It walks from one subscription to the next in the index of pending deliveries: as an `exists`,
 * PostgreSQL read all of them again for each. It passes over subscriptions that may not be delivered to, however many.
 */
export const dueSubscriptions = (most: number, where: Sql): Sql => sql`
  with recursive waiting as (
    select '00000000-0000-0000-0000-000000000000'::uuid as id, null::timestamptz as at, timestamptz 'infinity' as passed
    union all
    select coalesce(next.id, later.id), case when next.id = later.id then later.at end,
           case when next.id > later.id then '-infinity' else 'infinity' end::timestamptz
      from waiting cross join lateral (
        select d.subscription_id as id, d.next_attempt_at as at from webhook_delivery d
         where d.status = 'pending' and (d.subscription_id, d.next_attempt_at) > (waiting.id, waiting.passed)
         order by d.subscription_id, d.next_attempt_at limit 1) as later
      left join lateral (
        select id from webhook_subscription
         where later.at <= now() and status = 'active' and deleted_at is null and client_active and id >= later.id
         order by id limit 1) as next on true
     where later.at > now() or next.id is not null
  )
  select client_id as "clientId", pace, (array_agg(id order by random()))[1:${most}::int] as due
    from (select s.id, s.client_id, ${PACE} as pace
            from waiting join webhook_subscription s using (id) left join system_client c using (client_id)
           where waiting.at <= now() and ${MAY_BE_CLAIMED} and ${where}) due
   group by client_id, pace order by random()`;
