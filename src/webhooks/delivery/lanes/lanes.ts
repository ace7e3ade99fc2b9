import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/config.js';
import { UnreadableShaSecrets } from '../../../auth/clients/unreadable-sha-secrets.js';
import { SessionLock } from '../../../platform/database/connection/session-lock.js';
import { ControlDatabase } from '../../../platform/database/pools/control-database.js';
import { Database } from '../../../platform/database/pools/database.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { freedOfTheDead, RELEASED } from '../../../platform/outbox/leases.js';
import type { Pace } from '../../../platform/outbox/pace.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { claimStatement } from './claim-statement.js';

/** The right to deliver to one subscription: valid until it is used, given back, or expires. */
export interface Lease {
  readonly subscriptionId: Uuid;
  readonly token: string;
  readonly pace: Pace;
}

/** What is due for so long was not announced, or its announcement was lost. */
const UNANNOUNCED_SECONDS = 0.5;
/** If nobody takes up a dispatched lease within this time it is lost: the process hangs, or Redis lost it. */
const HANDOVER_SECONDS = 5;

/**
 * Each subscription is a lane on which one process delivers at a time (W-8). A lease with a token says which one; `SKIP
 * LOCKED` lets processes pass each other, and all times are the database's. This limits the deliveries in progress to
 * one subscription over all processes (W-9), and takes one write for a whole batch of deliveries. A lease ends when the
 * lock of its process is released (W-16), and at the latest when it expires.
 */
@Injectable()
export class Lanes {
  private readonly leaseSeconds: number;
  private readonly overlapSeconds: number;

  constructor(
    private readonly database: Database,
    private readonly control: ControlDatabase,
    private readonly lock: SessionLock,
    private readonly unreadable: UnreadableShaSecrets,
    @Inject(CONFIG) config: Pick<Config, 'webhookLeaseSeconds' | 'SHA_SECRET_OVERLAP_SECONDS'>,
  ) {
    this.leaseSeconds = config.webhookLeaseSeconds;
    this.overlapSeconds = config.SHA_SECRET_OVERLAP_SECONDS;
  }

  /**
   * Claims lanes on which something is due, quickest first, and none slower than `slowest`; none whose secrets this
   * process could not read, which are left to others.
   */
  claim(most: number, slowest: Pace): Promise<Lease[]> {
    const seconds = Math.min(HANDOVER_SECONDS, this.leaseSeconds);
    const mayBeClaimed = this.unreadable.areAny ? this.isReadable : undefined;
    return this.database.query<Lease>(claimStatement({ most, slowest, seconds, holder: this.lock.key, mayBeClaimed }));
  }

  /**
   * Which of the leases are valid, by their tokens: still held, of a subscription that may be delivered to; and whether
   * something other than `busy` has been due on their lanes for a while, so that it was not announced. It uses a
   * connection of its own; nothing begins unless its lease is known in time to be valid.
   */
  async standing(claims: readonly Lease[], busy: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    const rows = await this.control.query<{ readonly token: string; readonly isDue: boolean }>(sql`
      select s.claim_token as token, exists (
               select from webhook_delivery d
                where d.subscription_id = s.id and d.status = 'pending' and d.next_attempt_at <= now() - ${UNANNOUNCED_SECONDS} * interval '1 second'
                  and d.id <> all (${busy}::uuid[])) as "isDue"
        from webhook_subscription s join system_client c using (client_id)
       where s.id = any (${claims.map(({ subscriptionId }) => subscriptionId)}::uuid[])
         and s.claim_token = any (${claims.map(({ token }) => token)}::uuid[])
         and s.status = 'active' and s.deleted_at is null and c.status = 'active'`);
    return new Map(rows.map(({ token, isDue }) => [token, isDue]));
  }

  /** Releases the lanes that are still held under these leases. */
  async release(...leases: readonly Lease[]): Promise<void> {
    await this.database.query(sql`
      update webhook_subscription set ${RELEASED}
       where id = any (${leases.map(({ subscriptionId }) => subscriptionId)}::uuid[])
         and claim_token = any (${leases.map(({ token }) => token)}::uuid[])`);
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

  /** Frees the lanes of processes that have ended (W-16): see `freedOfTheDead`. */
  async freeOfTheDead(alone: boolean): Promise<void> {
    const lanes = { table: sql`webhook_subscription`, key: sql`id` };
    await this.database.query(freedOfTheDead(lanes, { holder: this.lock.key, alone }));
  }
}
