import { type Sql, sql } from '../../../kernel/sql/sql.js';

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
