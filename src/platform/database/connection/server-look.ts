import type { ClientBase } from 'pg';

import { sql } from '../../../kernel/sql/sql.js';
import { INCARNATION } from './incarnation.js';
import { GuardedClient } from './guarded-client.js';

/** A server's report. */
export interface ServerLook {
  readonly isStandby: boolean;
  readonly pid: number;
  /**
   * Constant while no committed data can be lost. Changes with a promotion (timeline), restart (postmaster's start),
   * crash (which resets statistics), restored dump, or other server. Readable by any role. Null before the tables
   * exist.
   */
  readonly incarnation: string | null;
}

const LOOK = sql`
  select pg_is_in_recovery() as "isStandby", pg_backend_pid() as pid,
         case when to_regclass('event') is not null then ${INCARNATION} end as incarnation`.toQuery().text;

/** As long as connecting may take; the connection is not monitored yet. */
const LOOK_MS = 5_000;

/** The connection is given up if it does not answer. */
export async function lookAt(client: ClientBase): Promise<ServerLook> {
  const late = setTimeout(() => {
    if (client instanceof GuardedClient) client.abandon(new Error('Connection terminated: the server says nothing'));
  }, LOOK_MS);
  const { rows } = await client.query<ServerLook>(LOOK).finally(() => {
    clearTimeout(late);
  });
  const [look] = rows;
  if (look === undefined) throw new Error('the server said nothing of itself');
  return look;
}
