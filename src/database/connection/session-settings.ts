import type { PoolClient } from 'pg';

import { DERIVED_VERSION } from '../derived-version.js';

/**
 * What the project's statements need of a session, whatever the server is set to. Searches are short, so that compiling
 * them costs more than it saves; they look rows up one by one, and what they look up is in memory or on an SSD; and the
 * matches of a large one are to be sorted in memory. What is derived from records is held against the version that is named.
 */
const SETTINGS = `select
  set_config('jit', 'off', false),
  set_config('random_page_cost', least(current_setting('random_page_cost')::float8, 1.1)::text, false),
  set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')), pg_size_bytes('32MB')) / 1024 || 'kB', false),
  set_config('matricula.derived_version', '${DERIVED_VERSION}', false)`;

/**
 * A process that is cut off without a word must not hold the locks of its transactions until TCP gives it up, which may take hours:
 * the server asks it for a sign of life, and ends its session within five seconds.
 */
export const SILENT_END = `select
  set_config('tcp_keepalives_idle', '2', false),
  set_config('tcp_keepalives_interval', '1', false),
  set_config('tcp_keepalives_count', '3', false)`;

/**
 * A statement whose process is gone, killed or cut off, is ended by the server within so long. Not every system can tell
 * the server that, and one that cannot refuses the setting.
 */
const ORPHANS_END = `do $$ begin
  perform set_config('client_connection_check_interval', '2s', false);
exception when invalid_parameter_value then null;
end $$`;

/** To be done once with each new connection. */
export async function applySessionSettings(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query(`${SETTINGS}; ${SILENT_END}; ${ORPHANS_END}`);
}
