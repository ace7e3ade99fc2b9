import { sql } from '../../kernel/sql/sql.js';

/**
 * The relation `waiting`, for a `with recursive`: the subscriptions for which something is pending (`id`), and from
 * when on it is due (`at`). It goes from one of them to the next in the index of pending deliveries, where the first
 * entry of each is the one that is due first. A `limit` of one in the order of that index leaves PostgreSQL no choice:
 * it knows nothing of thousands of deliveries that have piled up within a minute.
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

/**
 * The same for claims: lanes on which something is due now, and some rows of others. Where the next one is not of a
 * subscription that may be delivered to, it goes on from the next subscription that may be: so it passes over the lanes
 * of clients that were deactivated over the years, however many they are. It begins with an id that no subscription
 * has; `passed` is up to when it has seen what is pending for `id`.
 */
export const CLAIMABLE_LANES = sql`waiting as (
    select '00000000-0000-0000-0000-000000000000'::uuid as id, null::timestamptz as at, timestamptz 'infinity' as passed
    union all
    select coalesce(lane.id, later.id), case when lane.id = later.id then later.at end,
           case when lane.id > later.id then '-infinity' else 'infinity' end::timestamptz
      from waiting cross join lateral (
        select d.subscription_id as id, d.next_attempt_at as at from webhook_delivery d
         where d.status = 'pending' and (d.subscription_id, d.next_attempt_at) > (waiting.id, waiting.passed)
         order by d.subscription_id, d.next_attempt_at limit 1) as later
      left join lateral (
        select id from webhook_subscription
         where later.at <= now() and status = 'active' and deleted_at is null and client_active and id >= later.id
         order by id limit 1) as lane on true
     where later.at > now() or lane.id is not null
  )`;
