import type { Queryable } from '../database/queryable.js';
import { answerIn } from '../derived/values/document.js';
import type { EventAction } from '../domain/record/event-action.js';
import type { EventRecord } from '../domain/record/event-record.js';
import type { Uuid } from '../domain/uuid.js';
import { Faults } from '../errors/faults.js';
import { isOneOf } from '../sql/is-one-of.js';
import { sql } from '../sql/sql.js';
import { parseEventActions } from './parse/parse-event-action.js';
import { parseEventRecord } from './parse/parse-event-record.js';

/** The source of an event's record (R-1). */
export interface StoredHistory {
  readonly actions: readonly EventAction[];
  /**
   * The record to which the actions apply, and how many of them it covers; undefined if the event began with an action.
   */
  readonly imported: { readonly body: string; readonly actions: number } | undefined;
}

/** The contents of the database for one event. */
export interface StoredEvent extends StoredHistory {
  readonly seq: string;
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  /** Whether no search finds it, as it has no derived rows (E-13). */
  readonly isDraft: boolean;
  /** The record in an answer; null for a draft. */
  readonly body: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** `StoredHistory` in the form of the tables. */
export interface HistoryColumns {
  readonly imported: string | null;
  readonly importedActions: number;
  /** A JSON list for each time that actions were added. */
  readonly actions: readonly string[];
}

/** Selected from `event`. */
export const HISTORY_COLUMNS = sql`event.imported, event.imported_actions as "importedActions",
           array(select actions from event_history where event_seq = event.seq order by position) as actions`;

interface EventRow extends HistoryColumns {
  readonly seq: string;
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  readonly isDraft: boolean;
  readonly body: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * The existing events among `ids`, locked until the end of the transaction. Rows are locked in the order of their ids,
 * so that two writers of the same events wait for each other instead of deadlocking.
 */
export async function lockStoredEvents(
  transaction: Queryable,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, StoredEvent>> {
  const locked = await transaction.query<{ seq: string }>(
    sql`select seq from event where ${isOneOf(sql`id`, ids, sql`uuid`)} order by id for no key update`,
  );
  if (locked.length === 0) return new Map();
  const seqs = locked.map(({ seq }) => seq);
  // Read by a separate statement: what the lock waited for is visible only to the next one.
  const rows = await transaction.query<EventRow>(sql`
    select event.seq, event.id, event.type, event.tracking_id as "trackingId", event.is_draft as "isDraft",
           ${answerIn(sql`event_document.body`)} as body, event.created_at as "createdAt", event.updated_at as "updatedAt", ${HISTORY_COLUMNS}
      from event left join event_document using (seq)
     where ${isOneOf(sql`event.seq`, seqs, sql`bigint`)}`);
  return new Map(
    rows.map(({ imported, importedActions, actions, ...event }) => [
      event.id,
      { ...event, ...storedHistory({ imported, importedActions, actions }, event.body) },
    ]),
  );
}

/** `body`: that of the event's document; null if it has none. Throws if an action cannot be read. */
export function storedHistory(columns: HistoryColumns, body: string | null): StoredHistory {
  // Without actions, the body is the imported record.
  const from = columns.imported ?? (columns.actions.length === 0 ? body : null);
  return {
    actions: columns.actions.flatMap(storedActions),
    imported: from === null ? undefined : { body: from, actions: columns.importedActions },
  };
}

/** The record in a stored body. */
export function storedRecord(body: string): EventRecord {
  const parsed = parseEventRecord(JSON.parse(body));
  if (parsed.kind === 'faulty') throw unreadable('record', parsed.issues);
  return parsed.value;
}

function storedActions(list: string): readonly EventAction[] {
  const faults = new Faults();
  const actions = parseEventActions(JSON.parse(list), '', faults);
  if (!faults.none) throw unreadable('action', faults.issues);
  return actions;
}

const unreadable = (what: string, issues: readonly { readonly message: string }[]): Error =>
  new Error(`a stored ${what} cannot be read: ${issues.map((issue) => issue.message).join('; ')}`);
