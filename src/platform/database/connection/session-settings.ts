import type { PoolClient } from 'pg';

import { sql } from '../../../kernel/sql/sql.js';
import { DERIVED_VERSION } from './derived-version.js';

/**
 * The settings that the project's statements need, whatever the server's own are. Searches are short, so compiling them
 * costs more than it saves; they look rows up one by one, in memory or on an SSD; and the matches of a large search
 * should be sorted in memory. The version of derived data is compared with the one named here.
 */
const SETTINGS = `select
  set_config('jit', 'off', false),
  set_config('random_page_cost', least(current_setting('random_page_cost')::float8, 1.1)::text, false),
  set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')), pg_size_bytes('32MB')) / 1024 || 'kB', false),
  set_config('matricula.derived_version', '${DERIVED_VERSION}', false)`;

/**
 * How values are written and read, and what a transaction sees, must not depend on what a server, a database or a role
 * is set to: the driver reads instants in ISO style alone, and a day begins in UTC.
 */
const CONVENTIONS = `select
  set_config('datestyle', 'ISO, MDY', false),
  set_config('timezone', 'UTC', false),
  set_config('intervalstyle', 'postgres', false),
  set_config('bytea_output', 'hex', false),
  set_config('extra_float_digits', '1', false),
  set_config('standard_conforming_strings', 'on', false),
  set_config('default_transaction_isolation', 'read committed', false)`;

/**
 * A statement has its deadline in the process, which knows what it may take: the index of millions of records
 * takes hours. A session waits for as long as its command derives, or its pool keeps it.
 */
const NO_OTHER_LIMITS = `select
  set_config('statement_timeout', '0', false),
  set_config('lock_timeout', '0', false),
  set_config('idle_session_timeout', '0', false)`;

/** The same of a transaction, such as that of an export: a limit that PostgreSQL has from release 17 on. */
const NO_LIMIT_OF_TRANSACTIONS = `select set_config('transaction_timeout', '0', false)
  where current_setting('transaction_timeout', true) is not null`;

/**
 * A process that is cut off silently must not hold the locks of its transactions until TCP gives up, which may take
 * hours: the server probes it, and ends its session within five seconds.
 */
export const SILENT_END = `select
  set_config('tcp_keepalives_idle', '2', false),
  set_config('tcp_keepalives_interval', '1', false),
  set_config('tcp_keepalives_count', '3', false)`;

/**
 * The server ends a statement within this time if its process is killed or cut off. Not every operating system can tell
 * the server, and one that cannot refuses the setting.
 */
const ORPHANS_END = `do $$ begin
  perform set_config('client_connection_check_interval', '2s', false);
exception when invalid_parameter_value then null;
end $$`;

/**
 * The matches of a search lie on scattered pages. Where they are not in memory, PostgreSQL asks the disk for many at a
 * time and not, as before its release 18, for one after the other. An operating system that cannot refuses the setting.
 */
const PAGES_AHEAD = `do $$ begin
  perform set_config('effective_io_concurrency', greatest(current_setting('effective_io_concurrency')::int, 100)::text, false);
exception when invalid_parameter_value then null;
end $$`;

/**
 * To be run first in a transaction that only reads, and waits for whoever takes what it has read, or for what is made
 * of it: the server may end others that are idle sooner. How long it waits, the process knows.
 */
export const MAY_IDLE = sql`set local idle_in_transaction_session_timeout = 0`;

/** To be run once on each new connection. */
export async function applySessionSettings(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query(
    `${CONVENTIONS}; ${NO_OTHER_LIMITS}; ${NO_LIMIT_OF_TRANSACTIONS}; ${SETTINGS}; ${PAGES_AHEAD}; ${SILENT_END}; ${ORPHANS_END}`,
  );
}
