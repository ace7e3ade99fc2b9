import { type Sql, sql } from '../../../kernel/sql/sql.js';

/**
 * The database, and the server with its history, as text. See `ServerLook.incarnation`. Whoever compares what it has
 * read before with this must have all of it: a restored database can take the name of another on the same server, and a
 * dump can be restored in place of what the database had. A dump restores constraints after the rows of their tables,
 * and these are replaced by nothing else: neither a reindex nor a migration.
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
