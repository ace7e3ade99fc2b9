import { MAY_IDLE } from '../database/connection/session-settings.js';
import type { Database } from '../database/pools/database.js';
import type { Instant } from '../../kernel/domain/calendar.js';
import { all, type Sql, sql } from '../../kernel/sql/sql.js';
import type { Actor } from './audit-entry.js';
import { ENTRY_JSON } from './entry-json.js';

/** Which rows to export: those from `since` until before `until`, of one actor; all rows without any of these. */
export interface AuditFilter {
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
  readonly actor?: Actor | undefined;
}

/**
 * Passes the log to `take`, oldest first, some hundred lines of JSON at a time, all from one snapshot and in constant
 * memory: the next ones are read when `take` is done. Resolves with their number.
 */
export async function exportAudit(
  database: Database,
  filter: AuditFilter,
  take: (lines: string) => Promise<void>,
): Promise<number> {
  let count = 0;
  await database.snapshot(async (snapshot) => {
    await snapshot.query(MAY_IDLE);
    await snapshot.query(sql`declare exported no scroll cursor for ${statementOf(filter)}`);
    for (;;) {
      const rows = await snapshot.query<{ readonly line: string }>(FETCH);
      if (rows.length === 0) return;
      count += rows.length;
      await take(rows.map(({ line }) => `${line}\n`).join(''));
    }
  });
  return count;
}

/** Few enough that queries of a megabyte do not take much memory. */
const FETCH = sql`fetch forward 100 from exported`;

/** Lines in upstream's format of an entry, each as it was recorded: JSON is concatenated as text. */
const statementOf = ({ since, until, actor }: AuditFilter): Sql => {
  const conditions = [
    ...(since === undefined ? [] : [sql`created_at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`created_at < ${until}::timestamptz`]),
    ...(actor === undefined ? [] : [sql`client_id = ${actor.clientId} and client_type = ${actor.clientType}`]),
  ];
  return sql`select ${ENTRY_JSON}::text as line
    from audit_log where ${all(conditions)} order by created_at, id`;
};
