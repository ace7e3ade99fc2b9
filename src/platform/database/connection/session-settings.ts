import type { PoolClient } from 'pg';

import { sql } from '../../../kernel/sql/sql.js';
import { DERIVED_VERSION } from './derived-version.js';

/**
 * Independent of the server's own. Searches are short, so compiling costs more than it saves; they read single rows
 * from memory or SSD, and sort matches in memory. The derived version is checked against this one.
 */
const SETTINGS = `select
  set_config('jit', 'off', false),
  set_config('random_page_cost', least(current_setting('random_page_cost')::float8, 1.1)::text, false),
  set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')), pg_size_bytes('32MB')) / 1024 || 'kB', false),
  set_config('matricula.derived_version', '${DERIVED_VERSION}', false)`;

/** Independent of server, database and role: the driver reads ISO instants alone, and days begin in UTC. */
const CONVENTIONS = `select
  set_config('datestyle', 'ISO, MDY', false),
  set_config('timezone', 'UTC', false),
  set_config('intervalstyle', 'postgres', false),
  set_config('bytea_output', 'hex', false),
  set_config('extra_float_digits', '1', false),
  set_config('standard_conforming_strings', 'on', false),
  set_config('default_transaction_isolation', 'read committed', false)`;

/**
 * The process sets deadlines: an index of millions of records takes hours. Sessions last as long as their command
 * or pool.
 */
const NO_OTHER_LIMITS = `select
  set_config('statement_timeout', '0', false),
  set_config('lock_timeout', '0', false),
  set_config('idle_session_timeout', '0', false)`;

/** Exports are long transactions; PostgreSQL has this limit from 17 on. */
const NO_LIMIT_OF_TRANSACTIONS = `select set_config('transaction_timeout', '0', false)
  where current_setting('transaction_timeout', true) is not null`;

/**
 * A lost process must not hold locks until TCP gives up, which may take hours: probes end its session within five
 * seconds.
 */
export const SILENT_END = `select
  set_config('tcp_keepalives_idle', '2', false),
  set_config('tcp_keepalives_interval', '1', false),
  set_config('tcp_keepalives_count', '3', false)`;

/** Ends the statements of a lost process. Some systems cannot, and refuse the setting. */
const ORPHANS_END = `do $$ begin
  perform set_config('client_connection_check_interval', '2s', false);
exception when invalid_parameter_value then null;
end $$`;

/**
 * Matches lie on scattered pages: PostgreSQL reads many at a time, before 18 one by one. Some systems refuse the
 * setting.
 */
const PAGES_AHEAD = `do $$ begin
  perform set_config('effective_io_concurrency', greatest(current_setting('effective_io_concurrency')::int, 100)::text, false);
exception when invalid_parameter_value then null;
end $$`;

/**
 * For a read-only transaction that waits for a consumer; the server may end other idle ones sooner. The process limits
 * the wait.
 */
export const MAY_IDLE = sql`set local idle_in_transaction_session_timeout = 0`;

/** Run once on each new connection. */
export async function applySessionSettings(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query(
    `${CONVENTIONS}; ${NO_OTHER_LIMITS}; ${NO_LIMIT_OF_TRANSACTIONS}; ${SETTINGS}; ${PAGES_AHEAD}; ${SILENT_END}; ${ORPHANS_END}`,
  );
}
