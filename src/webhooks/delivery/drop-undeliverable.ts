import { sql } from '../../sql/sql.js';

/**
 * Settles what waits for a subscriber that receives nothing any more: deliveries of a disabled subscription become
 * dead, and can be replayed when it is subscribed again; those of one that has ended or was deleted are dropped (W-3,
 * W-7).
 */
export const DROP_UNDELIVERABLE = sql`
  update webhook_delivery d
     set status = case when s.status = 'disabled' and s.deleted_at is null then 'dead' else 'dropped' end,
         next_attempt_at = null
    from webhook_subscription s
   where d.subscription_id = s.id and d.status = 'pending' and (s.status <> 'active' or s.deleted_at is not null)`;
