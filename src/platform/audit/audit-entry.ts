import { createHash, randomUUID } from 'node:crypto';
import { KIB } from '../../kernel/domain/bytes.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { UserType } from '../../kernel/domain/event-record.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../database/connection/queryable.js';

/** Upstream's names where its log has one (I-2, I-3). */
export type AuditOperation =
  | 'attachments.upload'
  | 'auth.token'
  | 'confirmations.replay'
  | 'event.create'
  | 'event.get'
  | 'event.file.getPresignedUrl'
  | 'event.reindex'
  | 'event.search'
  | ActionOperation
  | 'integrations.activate'
  | 'integrations.create'
  | 'integrations.deactivate'
  | 'integrations.delete'
  | 'integrations.refreshSecret'
  | 'integrations.rotateShaSecret'
  | 'integrations.setWebhookFormat'
  | 'administrativeAreas.create'
  | 'administrativeAreas.update'
  | 'administrativeAreas.withdrawVersion'
  | 'locations.create'
  | 'locations.import'
  | 'locations.update'
  | 'locations.withdrawVersion'
  | 'keys.reseal'
  | 'keys.rotate'
  | 'auth.login'
  | 'auth.logout'
  | 'auth.lostRotation'
  | 'auth.revoke'
  | 'auth.reuse'
  | 'auth.superUserLogin'
  | 'integrations.setKeys'
  | 'user.activate'
  | 'user.changePassword'
  | 'user.create'
  | 'user.deactivate'
  | 'user.resetPassword'
  | 'user.update'
  | 'records.import'
  | 'webhooks.replay'
  | 'webhooks.subscribe'
  | 'webhooks.unsubscribe';

type ActionOperation = `event.actions.${Lowercase<ActionType>}.${'request' | 'accept' | 'reject'}`;

export interface Actor {
  /** `sub`: the id of a system client, or an administrator's name. */
  readonly clientId: string;
  readonly clientType: UserType;
}

/** Contains no secrets. */
export interface AuditEntry extends Actor {
  readonly operation: AuditOperation;
  readonly requestData: unknown;
  readonly responseSummary: object | null;
}

export const CLI: Actor = { clientId: 'cli', clientType: 'user' };

export const actorOf = ({ subject, userType }: Caller): Actor => ({ clientId: subject, clientType: userType });

/** Upstream's format of an entry, its JSON as recorded. */
export const ENTRY_JSON: Sql = sql`json_build_object(
  'id', id, 'clientId', client_id, 'clientType', client_type, 'operation', operation,
  'requestData', request_data, 'responseSummary', response_summary,
  'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

export interface AuditRow {
  readonly id: string;
  readonly atMs: number;
  /** Members as JSON text without braces, computed once. */
  readonly members: string;
}

/** Bytes kept of a request (S-16). */
const MOST_REQUEST_BYTES = 8 * KIB;

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
