import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import type { NotificationFormat } from '../notification/notification-format.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';

/** A subscription, with what its notifications depend on. */
export interface Subscriber {
  readonly id: Uuid;
  readonly clientId: Uuid;
  /** The scopes of the client. */
  readonly scopes: readonly string[];
  readonly topic: Topic;
  readonly callback: string;
  readonly format: NotificationFormat;
  readonly status: 'active' | 'disabled';
  /** The secret that signs it (W-15). */
  readonly shaSecretSealed: string;
  readonly shaSecretGeneration: number;
  /** The generation of the one that its client has now. */
  readonly currentShaSecret: number;
  /** The time of the transaction. */
  readonly now: Date;
}

/**
 * The subscriptions with these ids that have not ended, as of the transaction. A secret that was replaced signs what is
 * published to subscriptions made under it until `overlapSeconds` later (W-15).
 */
export const subscribersOf = (
  transaction: Queryable,
  ids: readonly Uuid[],
  overlapSeconds: number,
): Promise<Subscriber[]> =>
  transaction.query<Subscriber>(sql`
      select s.id, s.client_id as "clientId", c.scopes, s.topic, s.callback, s.format, s.status,
             coalesce(replaced.sealed, c.sha_secret_sealed) as "shaSecretSealed",
             coalesce(replaced.generation, c.sha_secret_generation) as "shaSecretGeneration",
             c.sha_secret_generation as "currentShaSecret", now() as now
        from webhook_subscription s join system_client c using (client_id)
        -- The one under which it was last made or renewed, for a while.
        left join replaced_sha_secret replaced
          on replaced.client_id = s.client_id and replaced.generation = s.sha_secret_generation
         and replaced.replaced_at > now() - ${overlapSeconds} * interval '1 second'
       where s.id = any (${ids}::uuid[]) and s.deleted_at is null and s.status <> 'ended'`);
