import type { ClientBase } from 'pg';

import { sql } from '../../../kernel/sql/sql.js';
import { INCARNATION } from './incarnation.js';
import { GuardedClient } from './guarded-client.js';

/** What a server says about itself. */
export interface ServerLook {
  readonly isStandby: boolean;
  /** The server process of the connection. */
  readonly pid: number;
  /**
   * Constant as long as no committed data can be lost: it changes with a promotion (timeline), a restart (the
   * postmaster's start), a crash of one of its processes, which resets statistics, and a dump that is restored in the
   * same database; and it differs on another server. Any role may read all of it. Null before the tables are made: there
   * is nothing that anybody could have read.
   */
  readonly incarnation: string | null;
}

const LOOK = sql`
  select pg_is_in_recovery() as "isStandby", pg_backend_pid() as pid,
         case when to_regclass('event') is not null then ${INCARNATION} end as incarnation`.toQuery().text;

/** How long a server may take to say it: as long as connecting may. Nobody watches over a connection before that. */
const LOOK_MS = 5_000;

/** Reads this from the server behind a connection, which is given up if it does not answer. */
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
