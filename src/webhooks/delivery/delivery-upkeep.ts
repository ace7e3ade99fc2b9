import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Refresher } from '../../platform/jobs/periodic.js';
import { DAY_MS } from '../../kernel/domain/calendar.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

const EVERY_MS = 60_000;
const MOST_AT_A_TIME = 1_000;
/** Longer than a transaction takes that has read of a subscription, and writes a delivery to it. */
const STILL_WRITTEN = sql`interval '1 hour'`;

/** Removes what is older than `WEBHOOK_RETENTION_DAYS`, and settles deliveries without a recipient (W-10, W-12). */
@Injectable()
export class DeliveryUpkeep implements OnModuleDestroy {
  private readonly log = new Logger(DeliveryUpkeep.name);
  private readonly drops = new Refresher(() => this.drop());
  private isOver = false;

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
    jobs: Jobs,
    @Inject(CONFIG) private readonly config: Pick<Config, 'WEBHOOK_RETENTION_DAYS' | 'SHA_SECRET_OVERLAP_SECONDS'>,
  ) {
    jobs.add({
      ...{ name: DeliveryUpkeep.name, everyMs: EVERY_MS, failure: 'old deliveries could not be removed' },
      work: (signal) => this.run(signal),
    });
    feed.on('subscription_ended', () => {
      this.wake();
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.isOver = true;
    await this.drops.settled();
  }

  /** A subscription receives nothing any more: what waits for it is settled soon. Nobody waits for that. */
  wake(): void {
    this.drops.refresh().catch((error: unknown) => {
      this.log.warn('deliveries of subscriptions that are over still wait', error);
    });
  }

  /** Does all of this once. */
  async run(signal?: AbortSignal): Promise<void> {
    // One that fails keeps none of the others from being done.
    const outcomes = await Promise.allSettled([
      this.drops.refresh(),
      this.removeOld(signal),
      this.remove(
        sql`
        delete from webhook_subscription s
         where deleted_at < now() - ${STILL_WRITTEN} and not exists (
           select from webhook_delivery d where d.subscription_id = s.id)
        returning id`,
        signal,
      ),
    ]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined && signal?.aborted !== true) throw failed.reason;
  }

  private async removeOld(signal: AbortSignal | undefined): Promise<void> {
    const { WEBHOOK_RETENTION_DAYS, SHA_SECRET_OVERLAP_SECONDS } = this.config;
    const [now] = await this.database.query<{ readonly ms: number }>(
      sql`select extract(epoch from now())::float8 * 1000 as ms`,
    );
    const oldMs = (now?.ms ?? 0) - WEBHOOK_RETENTION_DAYS * DAY_MS;
    const deliveries = oldDeliveriesRemoved(oldMs);
    let removed: number;
    do {
      if (signal?.aborted === true) return;
      removed = await this.remove(deliveries.statement, signal);
      if (removed < deliveries.most) removed += await this.remove(emptyContextsRemoved(oldMs), signal);
    } while (removed > 0);
    // By then the last delivery created under it is gone.
    await this.remove(
      sql`
      delete from replaced_sha_secret
       where replaced_at < now() - ${SHA_SECRET_OVERLAP_SECONDS} * interval '1 second'
                                 - ${WEBHOOK_RETENTION_DAYS + 1} * interval '1 day'
      returning generation`,
      signal,
    );
  }

  private async drop(): Promise<void> {
    while (!this.isOver && (await this.remove(dropUndeliverable(MOST_AT_A_TIME))) > 0);
  }

  private async remove(statement: Sql, signal?: AbortSignal): Promise<number> {
    return (await this.database.query(statement, signal)).length;
  }
}

/** Contexts that are looked at together. A context may have thousands of deliveries, and these their attempts. */
const MOST_CONTEXTS = 1_000;
const MOST_DELIVERIES = 5_000;

/** The oldest contexts from before `ms`. */
const oldest = (ms: number): Sql => sql`
  select id from webhook_context where created_at < ${new Date(ms)}::timestamptz
   order by created_at limit ${MOST_CONTEXTS}`;

/**
 * Removes deliveries of the oldest contexts from before `ms`, and returns their ids; where there are `most`, more may
 * be left. Ids in a list are looked up: as a join, all deliveries were read for each portion.
 */
export const oldDeliveriesRemoved = (ms: number): { readonly statement: Sql; readonly most: number } => ({
  statement: sql`
    delete from webhook_delivery where id = any (array(
      select d.id
        from (${oldest(ms)}) context
       cross join lateral (
         select id from webhook_delivery where context_id = context.id
          limit ${MOST_DELIVERIES} for update skip locked) d
       limit ${MOST_DELIVERIES}))
    returning id`,
  most: MOST_DELIVERIES,
});

/**
 * Removes those of the oldest contexts from before `ms` that have no deliveries any more, and returns their ids. Each
 * is looked up: with a `not exists`, PostgreSQL compared all old contexts with all deliveries for each portion, which
 * took longer than a statement may where removal was behind by some millions.
 */
export const emptyContextsRemoved = (ms: number): Sql => sql`
  delete from webhook_context where id = any (array(
    select id from (${oldest(ms)} for update skip locked) context
     where (select true from webhook_delivery where context_id = context.id limit 1) is null))
  returning id`;

/**
 * The relation `waiting`, for a `with recursive`: the subscriptions for which something is pending (`id`). It walks from
 * one to the next in the index of pending deliveries: see `dueSubscriptions`.
 */
const WAITING = sql`waiting as (
    (select subscription_id as id, next_attempt_at as at from webhook_delivery
      where status = 'pending' order by subscription_id, next_attempt_at limit 1)
    union all
    select later.* from waiting cross join lateral (
      select d.subscription_id, d.next_attempt_at from webhook_delivery d
       where d.status = 'pending' and d.subscription_id > waiting.id
       order by d.subscription_id, d.next_attempt_at limit 1) as later
  )`;

/**
 * Settles what waits for subscribers that receive nothing any more: deliveries of a disabled subscription become dead,
 * and can be replayed when it is subscribed again; those of one that has ended or was deleted are dropped (W-3, W-7).
 * At most so many, since hundreds of thousands may wait for one of them: rows of those that it settled. It begins with
 * those who wait: whoever subscribes and unsubscribes all the time leaves very many on which nothing does.
 */
export const dropUndeliverable = (most: number): Sql => sql`
  with recursive ${WAITING}, ended as (
    select id, case when status = 'disabled' and deleted_at is null then 'dead' else 'dropped' end as outcome
      from waiting join webhook_subscription using (id) where status <> 'active' or deleted_at is not null
  ), portion as (
    select d.id, outcome
      from ended cross join lateral (
        select id from webhook_delivery
         where subscription_id = ended.id and status = 'pending'
         order by next_attempt_at, id limit ${most}
           for update skip locked) d
     limit ${most}
  )
  update webhook_delivery d
     set status = outcome, next_attempt_at = null
    from portion where d.id = portion.id
  returning d.id`;
