import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import { Refresher } from '../../platform/jobs/refresher.js';
import { Upkeep } from '../../platform/jobs/upkeep.js';
import { DAY_MS } from '../../kernel/domain/calendar.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { dropUndeliverable } from './drop-undeliverable.js';
import { emptyContextsRemoved, oldDeliveriesRemoved } from './old-deliveries.js';

const EVERY_MS = 60_000;
const MOST_AT_A_TIME = 1_000;
/** Longer than a transaction takes that has read of a subscription, and writes a delivery to it. */
const STILL_WRITTEN = sql`interval '1 hour'`;

/** Removes what is older than `WEBHOOK_RETENTION_DAYS`, and settles deliveries without a recipient (W-10, W-12). */
@Injectable()
export class DeliveryUpkeep extends Upkeep {
  private readonly drops = new Refresher(() => this.drop());
  private isOver = false;

  constructor(
    private readonly database: Database,
    feed: ChangeFeed,
    @Inject(CONFIG) private readonly config: Pick<Config, 'WEBHOOK_RETENTION_DAYS' | 'SHA_SECRET_OVERLAP_SECONDS'>,
  ) {
    super(EVERY_MS, 'old deliveries could not be removed');
    feed.on('subscription_ended', () => {
      this.wake();
    });
  }

  override async onModuleDestroy(): Promise<void> {
    this.isOver = true;
    await Promise.all([super.onModuleDestroy(), this.drops.settled()]);
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
