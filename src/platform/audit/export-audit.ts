import { MAY_IDLE } from '../database/connection/session-settings.js';
import type { Database } from '../database/pools/database.js';
import type { Instant } from '../../kernel/domain/calendar.js';
import { all, type Sql, sql } from '../../kernel/sql/sql.js';
import { type Actor, ENTRY_JSON } from './audit-entry.js';

/** Rows of one actor from `since` (inclusive) until `until` (exclusive); all rows by default. */
export interface AuditFilter {
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
  readonly actor?: Actor | undefined;
}

/** Passes JSON lines to `take`, oldest first, a hundred at a time, from one snapshot. Resolves with their number. */
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

/** Few enough to bound the memory of megabyte requests. */
const FETCH = sql`fetch forward 100 from exported`;

/** Upstream's format, as recorded: JSON is concatenated as text. */
const statementOf = ({ since, until, actor }: AuditFilter): Sql => {
  const conditions = [
    ...(since === undefined ? [] : [sql`created_at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`created_at < ${until}::timestamptz`]),
    ...(actor === undefined ? [] : [sql`client_id = ${actor.clientId} and client_type = ${actor.clientType}`]),
  ];
  return sql`select ${ENTRY_JSON}::text as line
    from audit_log where ${all(conditions)} order by created_at, id`;
};
