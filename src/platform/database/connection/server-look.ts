import type { ClientBase } from 'pg';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { placeOf } from './advisory-locks.js';
import { DatabaseServerError } from './database-server.js';
import { GuardedClient } from './guarded-client.js';

/**
 * Identifies server and database: see `ServerLook.incarnation`. A restored database may take a name on the same server,
 * or a dump replace its content. Only a dump's restore recreates constraints after the rows.
 */
export const INCARNATION: Sql = sql`
  concat_ws(' ',
    (select oid from pg_database where datname = current_database()),
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end,
    extract(epoch from pg_postmaster_start_time()),
    (select extract(epoch from stats_reset) from pg_stat_archiver),
    (select max(oid::bigint) from pg_constraint
      where contype = 'p' and conrelid in (
        to_regclass('system_client'), to_regclass('place'), to_regclass('event'), to_regclass('event_history'))))`;

/** Other clients of the pooler may interfere, so one round proves nothing. */
const ROUNDS = 3;
const DEADLINE_MS = 5_000;

export const isPooled = (client: object, pid: number): boolean => Reflect.get(client, 'processID') !== pid;

/**
 * LISTEN, locks, settings and prepared statements belong to a session. Throws `DatabaseServerError` with the
 * remedy.
 */
export async function refuseTransactionPooler(url: string, client: ClientBase): Promise<void> {
  const other = new GuardedClient({
    connectionString: url,
    application_name: 'matricula start',
    statementMs: DEADLINE_MS,
  });
  try {
    await other.connect();
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await backendOf(client);
      await other.query('begin');
      // The other's open transaction occupies a server process: this connection's, if the pooler gave that away.
      const isGivenAway = (await backendOf(other)) === before || (await backendOf(client)) !== before;
      await other.query('rollback');
      if (isGivenAway) throw new DatabaseServerError(refusal(url));
    }
  } finally {
    other.abandon(new Error('Connection terminated: it is not needed any more'));
  }
}

async function backendOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

const refusal = (url: string): string =>
  `A pooler at ${placeOf(url)} runs the statements of one connection on several of the server (pool_mode = transaction, as ` +
  'PgBouncer calls it). Give the address of PostgreSQL itself, or of a pool with pool_mode = session: the service keeps a pool of ' +
  'its own (DATABASE_POOL_SIZE), and needs sessions for LISTEN, locks and prepared statements.';

/** A server's report. */
export interface ServerLook {
  readonly isStandby: boolean;
  readonly pid: number;
  /** The major one. */
  readonly version: number;
  readonly encoding: string;
  /**
   * Constant while no committed data can be lost. Changes with a promotion (timeline), restart (postmaster's start),
   * crash (which resets statistics), restored dump, or other server. Readable by any role. Null before the tables
   * exist.
   */
  readonly incarnation: string | null;
}

const LOOK = sql`
  select pg_is_in_recovery() as "isStandby", pg_backend_pid() as pid,
         current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
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
