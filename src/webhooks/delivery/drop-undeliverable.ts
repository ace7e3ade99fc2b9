import { type Sql, sql } from '../../kernel/sql/sql.js';
import { WAITING_LANES } from './waiting-lanes.js';

/**
 * Settles what waits for subscribers that receive nothing any more: deliveries of a disabled subscription become dead,
 * and can be replayed when it is subscribed again; those of one that has ended or was deleted are dropped (W-3, W-7).
 * At most so many, since hundreds of thousands may wait for one of them: rows of those that it settled. It begins with
 * those who wait: whoever subscribes and unsubscribes all the time leaves very many on which nothing does.
 */
export const dropUndeliverable = (most: number): Sql => sql`
  with recursive ${WAITING_LANES}, ended as (
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
