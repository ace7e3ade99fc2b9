import type { Pool } from 'pg';

import type { Primary } from '../connection/primary.js';
import { Refresher } from '../../jobs/refresher.js';

/** Searches on replicas wait for the answer, and fail without it. */
const DEADLINE_MS = 5_000;

/**
 * The end of the primary's write-ahead log. Every acknowledged transaction lies before it: a commit is acknowledged
 * after it is flushed, unless `synchronous_commit` is off.
 */
const POSITION = {
  name: 'position',
  text: `
    select case current_setting('synchronous_commit')
             when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn()
           end::text as position`,
};

/** What a log belongs to: a position means nothing in another log. */
export interface LogOrigin {
  /** A cluster and a database in it; the same on a primary and all its replicas, and on no other server. */
  readonly identity: string;
  /**
   * The branch of the cluster's history: a promotion begins a new one. What a replica of the former primary has
   * replayed past that point is on no primary any more, and positions of the new branch lie before it.
   */
  readonly timeline: number;
}

/**
 * The timeline of a replica is that of the log it has received, if the role may see it (pg_read_all_stats), and else
 * that of its latest restart point, which follows a promotion after at most `checkpoint_timeout`.
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

/** Asks the primary for the end of its log, on a separate connection: it must not wait behind searches or writes. */
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
   * A position after everything committed before the call, by anyone (S-14). Concurrent calls share one query that
   * starts after them. Throws if the primary does not answer.
   */
  async current(): Promise<string> {
    await this.refresher.refresh();
    return this.position;
  }

  /** The log of its positions. */
  async origin(): Promise<LogOrigin | undefined> {
    const { rows } = await this.pool.query<LogOrigin>({ name: 'origin', text: ORIGIN });
    return rows[0];
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
