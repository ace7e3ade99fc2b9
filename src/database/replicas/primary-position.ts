import type { Pool } from 'pg';

import type { Primary } from '../connection/primary.js';
import { Refresher } from '../refresher.js';

/** Searches wait for the answer, or do without replicas. */
const DEADLINE_MS = 5_000;

/**
 * Where the primary's write-ahead log ends. Every transaction whose commit was answered lies before it: a commit is
 * answered once it is flushed, unless `synchronous_commit` is off.
 */
const POSITION = {
  name: 'position',
  text: `
    select case current_setting('synchronous_commit')
             when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn()
           end::text as position`,
};

/** What a log belongs to: a position in it means nothing in another. */
export interface LogOrigin {
  /** A cluster and a database of it, the same on a primary and all its replicas, and on no other server. */
  readonly identity: string;
  /**
   * The branch of the cluster's history: a promotion begins another. What a replica of the former primary has replayed past
   * that point is on no primary any more, and positions of the new branch lie before it.
   */
  readonly timeline: number;
}

/**
 * The timeline of a replica is that of what it has received, where the role may see it (pg_read_all_stats), and else that of
 * its latest restart point, which follows a promotion after `checkpoint_timeout` at the latest.
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

/**
 * Asks the primary how far its log has come, on a connection of its own: it must not wait behind those that search or
 * write there.
 */
export class PrimaryPosition {
  private position = '';
  private readonly pool: Pool;
  private readonly refresher = new Refresher(async () => {
    const { rows } = await this.pool.query<{ position: string }>(POSITION);
    this.position = rows[0]?.position ?? '';
  });

  constructor(primary: Primary) {
    this.pool = primary.pool('matricula position', 1, DEADLINE_MS);
  }

  /**
   * A position behind everything that was committed before the call, by whomever (S-14). Calls at the same time share
   * one question that is asked after them. Throws when the primary does not answer.
   */
  async current(): Promise<string> {
    await this.refresher.refresh();
    return this.position;
  }

  /** What its positions belong to. */
  async origin(): Promise<LogOrigin | undefined> {
    const { rows } = await this.pool.query<LogOrigin>({ name: 'origin', text: ORIGIN });
    return rows[0];
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
