import { claimed, isFree } from '../../../platform/outbox/leases.js';
import { type Pace, PACES } from '../../../platform/outbox/pace.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { CLAIMABLE_LANES } from '../waiting-lanes.js';

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

/** So many times as many as are to be claimed are looked at: others may be claiming some of them at the same moment. */
const CANDIDATES = 4;

/**
 * Claims lanes on which something is due, quickest first: rows of `Lease`. Of equally quick ones, each client has one
 * before any has a second: however many a client has, the lane of another does not wait for them (Q-2).
 *
 * As a plain `exists`, PostgreSQL chose by its statistics, and read all pending deliveries again for each lane: see
 * `CLAIMABLE_LANES`.
 */
export const claimStatement = ({ most, slowest, seconds, holder, mayBeClaimed }: LaneClaim): Sql => sql`
  with recursive ${CLAIMABLE_LANES}, candidate as (
    select s.id, place, row_number() over (partition by place, s.client_id order by random()) as turn
      from waiting join webhook_subscription s using (id) left join system_client c using (client_id)
      cross join lateral (
        select array_position(${PACES}::text[], case when s.failing_since is not null or s.slow then 'slow'
                                                     when s.slow is null then 'unknown' else 'quick' end) as place) as paced
     where waiting.at <= now() and ${mayBeHeld}${mayBeClaimed === undefined ? sql`` : sql` and ${mayBeClaimed}`}
       and place <= array_position(${PACES}::text[], ${slowest})
     order by place, turn, random()
     limit ${CANDIDATES * most}
  ), lane as (
    select s.id, gen_random_uuid() as token, (${PACES}::text[])[place] as pace
      from candidate join webhook_subscription s using (id)
     -- Once more, since somebody may have changed it until it was locked.
     where ${mayBeHeld}
     order by place, turn, random()
     limit ${most}
       for no key update of s skip locked
  )
  update webhook_subscription s
     set ${claimed({ token: sql`lane.token`, seconds, holder })}
    from lane where s.id = lane.id
  returning s.id as "subscriptionId", s.claim_token as token, lane.pace`;

const mayBeHeld = sql`s.status = 'active' and s.deleted_at is null and s.client_active and ${isFree(sql`s`)}`;
