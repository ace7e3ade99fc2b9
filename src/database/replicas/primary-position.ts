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

/** A cluster and a database of it, the same on a primary and all its replicas, and on no other server. */
export const IDENTITY = `
  select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as identity
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

  /** Which database it is. */
  async identity(): Promise<string> {
    const { rows } = await this.pool.query<{ identity: string }>(IDENTITY);
    return rows[0]?.identity ?? '';
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
