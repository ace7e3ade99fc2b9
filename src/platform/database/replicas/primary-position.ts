import type { Pool } from 'pg';

import type { Primary } from '../connection/primary.js';
import { Refresher } from '../../jobs/periodic.js';

/** Searches on replicas wait for the answer, and fail without it. */
const DEADLINE_MS = 5_000;

/** The end of the primary's log. Acknowledged transactions lie before it, unless `synchronous_commit` is off. */
const POSITION = {
  name: 'position',
  text: `
    select case current_setting('synchronous_commit')
             when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn()
           end::text as position`,
};

/** Positions are comparable only within one log. */
export interface LogOrigin {
  /** Cluster and database: equal on a primary and its replicas only. */
  readonly identity: string;
  /** A promotion begins a new branch. Data that a replica replayed past that point is on no primary. */
  readonly timeline: number;
}

/**
 * The timeline of received log, where the role may see it (pg_read_all_stats), else of the latest restart point, up to
 * `checkpoint_timeout` after a promotion.
 */
export const ORIGIN = `
  select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as identity,
         case when pg_is_in_recovery()
           then greatest((select timeline_id from pg_control_checkpoint()),
                         (select min_recovery_end_timeline from pg_control_recovery()),
                         (select received_tli from pg_stat_wal_receiver))
           else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
         end as timeline
    from pg_control_system()`;

/** A separate connection, not to wait behind searches or writes. */
export class PrimaryPosition {
  private position = '';
  private readonly pool: Pool;
  private readonly refresher = new Refresher(async () => {
    const { rows } = await this.pool.query<{ position: string }>(POSITION);
    this.position = rows[0]?.position ?? '';
  });

  constructor(primary: Primary) {
    this.pool = primary.pool('matricula position', 1, { statementMs: DEADLINE_MS });
  }

  /**
   * After everything committed before the call (S-14). Concurrent calls share a later query. Throws if the primary does
   * not answer.
   */
  async current(): Promise<string> {
    await this.refresher.refresh();
    return this.position;
  }

  async origin(): Promise<LogOrigin | undefined> {
    const { rows } = await this.pool.query<LogOrigin>({ name: 'origin', text: ORIGIN });
    return rows[0];
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
