import { claimed, isFree } from '../../../outbound/outbox/leases.js';
import type { Pace } from '../../../outbound/outbox/pace.js';
import { PACES } from '../../../outbound/outbox/pace.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import { WAITING_LANES } from '../waiting-lanes.js';

/** Which lanes to claim, for how long, and for whom. */
interface LaneClaim {
  readonly most: number;
  readonly slowest: Pace;
  readonly seconds: number;
  /** The key of the lock of the process (`SessionLock`). */
  readonly holder: number;
  /** A condition on a subscription `s` and its client `c`; absent: every lane may be claimed. */
  readonly mayBeClaimed?: Sql | undefined;
}

/**
 * Claims lanes on which something is due, quickest first: rows of `Lease`.
 *
 * As a plain `exists`, PostgreSQL chose by its statistics, and read all pending deliveries again for each lane: see
 * `WAITING_LANES`.
 */
export const claimStatement = ({ most, slowest, seconds, holder, mayBeClaimed }: LaneClaim): Sql => sql`
  with recursive ${WAITING_LANES}, lane as (
    select s.id, gen_random_uuid() as token, pace
      from waiting join webhook_subscription s using (id) join system_client c using (client_id)
      cross join lateral (
        select case when s.failing_since is not null or s.slow then 'slow'
                    when s.slow is null then 'unknown' else 'quick' end as pace) as paced
     where waiting.at <= now() and s.status = 'active' and s.deleted_at is null and c.status = 'active'
       and ${isFree(sql`s`)}${mayBeClaimed === undefined ? sql`` : sql` and ${mayBeClaimed}`}
       and array_position(${PACES}::text[], pace) <= array_position(${PACES}::text[], ${slowest})
     order by array_position(${PACES}::text[], pace), random()
     limit ${most}
       for no key update of s skip locked
  )
  update webhook_subscription s
     set ${claimed({ token: sql`lane.token`, seconds, holder })}
    from lane where s.id = lane.id
  returning s.id as "subscriptionId", s.claim_token as token, lane.pace`;
