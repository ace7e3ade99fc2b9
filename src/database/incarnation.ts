import type { Sql } from '../sql/sql.js';
import { sql } from '../sql/sql.js';

/** The server with its history, as text, within a statement on the primary. See `ServerLook.incarnation`. */
export const INCARNATION: Sql = sql`
  concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8), extract(epoch from pg_postmaster_start_time()),
            (select extract(epoch from stats_reset) from pg_stat_archiver))`;
