import { sql } from '../../sql/sql.js';

/**
 * The relation `waiting`, for a `with recursive`: the subscriptions for which something is pending (`id`), and from when
 * on it is due (`at`). It goes from one of them to the next in the index of pending deliveries, where the first entry of
 * each is the one that is due first. A `limit` of one in the order of that index leaves PostgreSQL no choice: it knows
 * nothing of thousands of deliveries that have piled up within a minute.
 */
export const WAITING_LANES = sql`waiting as (
    (select subscription_id as id, next_attempt_at as at from webhook_delivery
      where status = 'pending' order by subscription_id, next_attempt_at limit 1)
    union all
    select later.* from waiting cross join lateral (
      select d.subscription_id, d.next_attempt_at from webhook_delivery d
       where d.status = 'pending' and d.subscription_id > waiting.id
       order by d.subscription_id, d.next_attempt_at limit 1) as later
  )`;
