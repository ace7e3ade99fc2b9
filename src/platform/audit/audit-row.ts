import { createHash, randomUUID } from 'node:crypto';
import type { Queryable } from '../database/connection/queryable.js';
import { KIB } from '../../kernel/domain/bytes.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { AuditEntry } from './audit-entry.js';

export interface AuditRow {
  readonly id: string;
  readonly atMs: number;
  /** Members as JSON text without braces, computed once. */
  readonly members: string;
}

/** Bytes kept of a request (S-16). */
const MOST_REQUEST_BYTES = 8 * KIB;

/** A row of `audit_log` (I-2). */
export function auditRow(entry: AuditEntry, nowMs = performance.now()): AuditRow {
  const id = randomUUID();
  const { clientId, clientType, operation, requestData, responseSummary } = entry;
  const others = JSON.stringify({ id, clientId, clientType, operation, responseSummary }).slice(1, -1);
  return { id, atMs: nowMs, members: `${others},"requestData":${keptRequest(JSON.stringify(requestData))}` };
}

/** A longer request is cut after a whole character and gets its length and hash. */
function keptRequest(text: string): string {
  const whole = Buffer.from(text);
  if (whole.length <= MOST_REQUEST_BYTES) return text;
  const cut = new TextDecoder().decode(whole.subarray(0, MOST_REQUEST_BYTES), { stream: true });
  return JSON.stringify({ cut, bytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') });
}

/** Writes rows in one statement. */
export async function writeRows(queryable: Queryable, rows: readonly AuditRow[], how: HowWritten): Promise<void> {
  await queryable.query(insertedRows(rows, how));
}

interface HowWritten {
  readonly again: boolean;
  readonly nowMs?: number;
}

/**
 * The statement of `writeRows`. Dates are the database's clock minus waiting time: the transaction's begin would precede
 * the events. `again` skips rows already written by an earlier attempt.
 */
export function insertedRows(rows: readonly AuditRow[], { again, nowMs = performance.now() }: HowWritten): Sql {
  const json = rows.map(({ atMs, members }) => `{"waited":${secondsSince(atMs, nowMs)},${members}}`).join(',');
  const oldest = Math.max(0, ...rows.map(({ atMs }) => secondsSince(atMs, nowMs)));
  const written = sql`exists (select from audit_log a where a.id = e.id
    and a.created_at > statement_timestamp() - make_interval(secs => ${oldest + MARGIN_SECONDS}))`;
  return sql`
    insert into audit_log (id, created_at, client_id, client_type, operation, request_data, response_summary)
    select e.id, statement_timestamp() - make_interval(secs => e.waited), e."clientId", e."clientType", e.operation,
           e."requestData", e."responseSummary"
    from json_to_recordset(${`[${json}]`}::json) as e (id uuid, waited float8, "clientId" text,
           "clientType" text, operation text, "requestData" json, "responseSummary" json)
    ${again ? sql`where not ${written}` : sql``}`;
}

/** Allowed drift between the clocks of process and database while a row waits. */
const MARGIN_SECONDS = 60;

const secondsSince = (atMs: number, nowMs: number): number => Math.max(0, nowMs - atMs) / 1_000;
