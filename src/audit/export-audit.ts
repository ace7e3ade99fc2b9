import type { Database } from '../database/pools/database.js';
import type { Instant } from '../domain/calendar.js';
import type { Sql } from '../sql/sql.js';
import { all, sql } from '../sql/sql.js';
import type { Actor } from './audit-entry.js';

/** Which rows are exported: those of the time from `since` to before `until`, of one who acted; all without either. */
export interface AuditFilter {
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
  readonly actor?: Actor | undefined;
}

/**
 * Hands the log to `take`, the oldest first, some hundred lines of JSON at a time, all from one snapshot and in constant
 * memory: the next ones are read when `take` is done. Yields their number.
 */
export async function exportAudit(
  database: Database,
  filter: AuditFilter,
  take: (lines: string) => Promise<void>,
): Promise<number> {
  let count = 0;
  await database.snapshot(async (snapshot) => {
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

/** Few enough that queries of a megabyte take no large memory. */
const FETCH = sql`fetch forward 100 from exported`;

/** Lines as upstream spells an entry, each as it was written down: JSON is put together as text. */
const statementOf = ({ since, until, actor }: AuditFilter): Sql => {
  const conditions = [
    ...(since === undefined ? [] : [sql`created_at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`created_at < ${until}::timestamptz`]),
    ...(actor === undefined ? [] : [sql`client_id = ${actor.clientId} and client_type = ${actor.clientType}`]),
  ];
  return sql`select json_build_object(
      'id', id, 'clientId', client_id, 'clientType', client_type, 'operation', operation,
      'requestData', request_data, 'responseSummary', response_summary,
      'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text as line
    from audit_log where ${all(conditions)} order by created_at, id`;
};
