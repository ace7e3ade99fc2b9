import { Injectable } from '@nestjs/common';

import { Database } from '../../platform/database/pools/database.js';
import type { AttemptNote } from '../../platform/outbox/outcome.js';
import { RELEASED } from '../../platform/outbox/leases.js';
import { removeSettled } from '../../platform/outbox/outbox-log.js';
import { sql } from '../../kernel/sql/sql.js';
import type { ConfirmationStatus } from './confirmation-status.js';
import type { ClaimedConfirmation } from './confirmation-claims.js';

/** The outcome of an attempt, for its confirmation. */
export interface ConfirmationNote {
  readonly claim: ClaimedConfirmation;
  /** When the attempt began, by the database's clock. */
  readonly atMs: number;
  /** Undefined if nothing was sent. */
  readonly attempt: AttemptNote | undefined;
  /**
   * `settled` where the event holds the outcome, and with it its confirmation; `over` when there is nothing to confirm
   * any more; `retry` in `waitMs`.
   */
  readonly verdict: 'settled' | 'waiting' | 'over' | 'retry' | 'dead' | 'withdrawn';
  /** 0 unless it is tried again. */
  readonly waitMs: number;
}

/** Records attempts, and what follows from those that are not accepted or rejected. */
@Injectable()
export class ConfirmationNotes {
  constructor(private readonly database: Database) {}

  /**
   * Only the holder of the claim can tell what follows; that it was tried is true whoever says so. Resolves with the
   * status that the holder leaves it in.
   */
  async write({ claim, atMs, attempt, verdict, waitMs }: ConfirmationNote): Promise<ConfirmationStatus | undefined> {
    // The schedule of a failure is that of the attempts before it: a replay has begun another one.
    const told = sql`case when ${verdict}::text in ('retry', 'dead') and failures <> ${claim.failures}::int
                          then 'replayed' else ${verdict}::text end`;
    const [noted] = await this.database.query<{ readonly status: ConfirmationStatus }>(sql`
      with attempt as (
        insert into confirmation_attempt (action_id, at, duration_ms, status, error, response)
        select action_id, ${new Date(atMs)}, ${attempt?.durationMs ?? 0}, ${attempt?.status ?? null},
               ${attempt?.error ?? null}, ${attempt?.response ?? null}
          from confirmation c where action_id = ${claim.actionId} and ${attempt !== undefined}::boolean
           -- It may be there already, if the answer to an earlier statement was lost.
           and not exists (select from confirmation_attempt a
                            where a.action_id = c.action_id and a.at = ${new Date(atMs)})
      )
      update confirmation
         set status = case when status <> 'pending' then status
                           when ${told} in ('waiting', 'dead', 'over') then ${verdict} else status end,
             settled_at = case when status = 'pending' and ${verdict}::text = 'over' then now() else settled_at end,
             failures = failures + case when ${told} in ('retry', 'dead') then 1 else 0 end,
             next_attempt_at = case when status <> 'pending' then null
                                    when ${told} = 'retry'
                                    then clock_timestamp() + ${waitMs}::float8 * interval '1 millisecond'
                                    when ${told} in ('waiting', 'dead', 'over') then null
                                    else next_attempt_at end,
             ${RELEASED}
       where action_id = ${claim.actionId} and claim_token = ${claim.token}
      returning status`);
    return noted?.status;
  }

  /** Removes those that were settled more than `days` ago: the events keep their outcome. Others stay. */
  async remove(days: number, signal?: AbortSignal): Promise<void> {
    const where = sql`status in ('accepted', 'rejected', 'over')`;
    await removeSettled(this.database, { table: sql`confirmation`, key: sql`action_id`, where }, days, signal);
  }
}
