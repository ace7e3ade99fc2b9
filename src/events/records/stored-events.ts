import { Injectable } from '@nestjs/common';
import { KIB, MIB } from '../../kernel/domain/bytes.js';
import { toInstant } from '../../kernel/domain/calendar.js';
import type { EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { Faults } from '../../kernel/errors/faults.js';
import { isOneOf, sql, type Sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { TimeSlice } from '../../platform/queue/time-slice.js';
import { answerIn } from '../index/values/document.js';
import { eventActionsIn } from './parse-event-document.js';
import { parseEventRecord } from './parse-event-record.js';
import { type ImportedState, notifierOf, type ProjectedEvent, projectEvent } from './project-event.js';
import { ActionHistory } from './replay.js';

export type TrueEvent = Omit<StoredEvent, 'seq' | 'isDraft' | 'body'>;

/** Recomputed from source data only; equals what writing under this configuration produced. Throws if unreadable. */
export function storedProjection(event: TrueEvent, configuration: EventConfiguration): ProjectedEvent {
  const { id, type, trackingId, actions, imported } = event;
  const [createdAt, updatedAt] = [toInstant(event.createdAt), toInstant(event.updatedAt)];
  return projectionOnImport({ id, type, trackingId, createdAt, updatedAt, actions }, imported, configuration);
}

export function projectionOnImport(
  document: EventDocument,
  imported: StoredImport | undefined,
  configuration: EventConfiguration,
): ProjectedEvent {
  if (imported === undefined) return projectEvent(document, configuration);
  const { actions } = document;
  const base = importedState(imported);
  const { type, trackingId } = base.record;
  // READ leaves an imported record unchanged; other later actions are replayed on it. A document may have changed the
  // type or tracking id.
  const isUnchanged =
    actions.length === 0 ||
    (type === document.type &&
      trackingId === document.trackingId &&
      actions.slice(imported.actions).every((action) => action.type === 'READ'));
  return isUnchanged
    ? { record: base.record, notified: notifierOf(ActionHistory.of(actions)) }
    : projectEvent(document, configuration, base);
}

/** Includes drafts; undefined if there is none. */
export async function readEvent(
  queryable: Queryable,
  id: Uuid,
  configuration: EventConfiguration,
): Promise<ProjectedEvent | undefined> {
  const [row] = await queryable.query<Omit<StoredEventRow, 'seq' | 'isDraft'>>(sql`
    select event.id, event.type, event.tracking_id as "trackingId", event.created_at as "createdAt",
           event.updated_at as "updatedAt", ${answerIn(sql`event_document.body`)} as body, ${HISTORY_COLUMNS}
      from event left join event_document using (seq) where event.id = ${id}`);
  return row && storedProjection({ ...row, ...(await storedHistory(row, row.body)) }, configuration);
}

/** An imported record as JSON, and the number of actions it includes. */
export interface StoredImport {
  readonly body: string;
  readonly actions: number;
}

/** Source of a record (R-1). */
export interface StoredHistory {
  readonly actions: readonly EventAction[];
  /** Undefined if the event began with an action. */
  readonly imported: StoredImport | undefined;
  /** Stored length of the actions. */
  readonly characters: number;
}

export interface StoredEvent extends StoredHistory {
  readonly seq: string;
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  /** Without derived rows, so that searches do not find it (E-13). */
  readonly isDraft: boolean;
  /** Null for a draft. */
  readonly body: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface HistoryColumns {
  readonly imported: string | null;
  readonly importedActions: number;
  /** `STORED_ACTIONS`. */
  readonly actions: string | null;
}

/**
 * JSON lists, one per write, with separators; null if none. Reading an array with escaped quotes takes many times as
 * long.
 */
export const STORED_ACTIONS = sql`
           (select string_agg(actions, chr(30) order by position) from event_history where event_seq = event.seq)`;

/** JSON escapes control characters. */
export const actionLists = (actions: string | null): readonly string[] => actions?.split('\u001e') ?? [];

export const HISTORY_COLUMNS = sql`event.imported, event.imported_actions as "importedActions",
           ${STORED_ACTIONS} as actions`;

export type StoredEventRow = Omit<StoredEvent, keyof StoredHistory> & HistoryColumns;

/** Stored bytes read together: a few of the longest histories, or many usual ones. */
const MOST_BYTES_TOGETHER = 8 * MIB;

/** Histories too long to hold together; read each in its own transaction. */
export class HistoriesTooLong extends Error {}

/**
 * Locks existing events until the transaction ends, in order of id to prevent deadlocks. Throws `HistoriesTooLong`,
 * never for one id.
 */
export async function lockStoredEvents(
  transaction: Queryable,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, StoredEvent>> {
  const locked = await transaction.query<{ seq: string }>(
    sql`select seq from event where ${isOneOf(sql`id`, ids, sql`uuid`)} order by id for no key update`,
  );
  return readEvents(
    transaction,
    locked.map(({ seq }) => seq),
  );
}

export interface FreeEvents {
  readonly stored: ReadonlyMap<Uuid, StoredEvent>;
  readonly held: ReadonlySet<Uuid>;
}

/** As `lockStoredEvents`, but skips held ones. */
export async function lockFreeEvents(transaction: Queryable, ids: readonly Uuid[]): Promise<FreeEvents> {
  const isAsked = isOneOf(sql`id`, ids, sql`uuid`);
  const found = await transaction.query<{ id: Uuid; seq: string; isLocked: boolean }>(sql`
    with locked as materialized (select seq from event where ${isAsked} for no key update skip locked)
    select id, event.seq, locked.seq is not null as "isLocked"
      from event left join locked on locked.seq = event.seq
     where ${isAsked}`);
  const stored = await readEvents(
    transaction,
    found.filter(({ isLocked }) => isLocked).map(({ seq }) => seq),
  );
  return { stored, held: new Set(found.filter(({ isLocked }) => !isLocked).map(({ id }) => id)) };
}

/** A separate statement after the lock, since changes waited for are visible only to the next one. */
async function readEvents(transaction: Queryable, seqs: readonly string[]): Promise<ReadonlyMap<Uuid, StoredEvent>> {
  if (seqs.length === 0) return new Map();
  const rows = await transaction.query<StoredEventRow & { readonly isTooLong: boolean }>(sql`
    select event.seq, event.id, event.type, event.tracking_id as "trackingId", event.is_draft as "isDraft",
           ${answerIn(sql`event_document.body`)} as body, event.created_at as "createdAt", event.updated_at as "updatedAt",
           together.*, event.imported, event.imported_actions as "importedActions",
           case when not "isTooLong" then ${STORED_ACTIONS} end as actions
      from event left join event_document using (seq) cross join (${togetherTooLong(seqs)}) as together
     where ${isOneOf(sql`event.seq`, seqs, sql`bigint`)}`);
  const slice = new TimeSlice();
  const found = new Map<Uuid, StoredEvent>();
  for (const { imported, importedActions, actions, isTooLong, ...event } of rows) {
    if (isTooLong) throw new HistoriesTooLong('their histories are too long together');
    const history = await storedHistory({ imported, importedActions, actions }, event.body, slice);
    found.set(event.id, { ...event, ...history });
  }
  return found;
}

/** Reads lengths without the texts. */
const togetherTooLong = (seqs: readonly string[]): Sql =>
  seqs.length === 1
    ? sql`select false as "isTooLong"`
    : sql`
        select coalesce(sum(octet_length(actions)), 0) > ${MOST_BYTES_TOGETHER}::bigint as "isTooLong"
          from event_history where ${isOneOf(sql`event_seq`, seqs, sql`bigint`)}`;

/** `body` is null without a document. Yields between actions. Throws if unreadable. */
export async function storedHistory(
  columns: HistoryColumns,
  body: string | null,
  slice = new TimeSlice(),
): Promise<StoredHistory> {
  const actions: EventAction[] = [];
  for (const list of actionLists(columns.actions)) {
    for (const action of storedActions(list)) {
      actions.push(action);
      if (slice.isOver) await slice.next();
    }
  }
  // Without actions, the body is the imported record.
  const from = columns.imported ?? (actions.length === 0 ? body : null);
  return {
    actions,
    imported: from === null ? undefined : { body: from, actions: columns.importedActions },
    characters: columns.actions?.length ?? 0,
  };
}

export function storedRecord(body: string): EventRecord {
  const parsed = parseEventRecord(JSON.parse(body));
  if (parsed.kind === 'faulty') throw unreadable('record', parsed.issues);
  return parsed.value;
}

const importedState = ({ body, actions }: StoredImport): ImportedState => ({
  record: storedRecord(body),
  actions,
});

function* storedActions(list: string): Generator<EventAction> {
  const items: unknown = JSON.parse(list);
  if (!Array.isArray(items)) throw unreadable('action', [{ message: 'it is in no list' }]);
  const faults = new Faults();
  yield* eventActionsIn(items, '', faults);
  if (!faults.none) throw unreadable('action', faults.issues);
}

const unreadable = (what: string, issues: readonly { readonly message: string }[]): Error =>
  new Error(`a stored ${what} cannot be read: ${issues.map((issue) => issue.message).join('; ')}`);

/** Bytes of memory per stored byte while an event is parsed and shown. */
const MEMORY_PER_BYTE = 8;

/** Minimum bytes per event read. */
const LEAST_MEMORY = 64 * KIB;

interface Reader {
  readonly client: string;
  readonly hungUp?: AbortSignal;
}

/** All reads of whole events outside the writer's queue: in turns, bounded by memory. */
@Injectable()
export class WholeEvents {
  constructor(
    private readonly database: Database,
    private readonly capacities: Capacities,
  ) {}

  /**
   * Reserves memory for these events until `work` ends. Throws 503 SERVICE_UNAVAILABLE after a timeout, and the reason
   * of `hungUp`.
   */
  async reading<T>(ids: readonly Uuid[], reader: Reader, work: () => Promise<T>): Promise<T> {
    const weight = LEAST_MEMORY + MEMORY_PER_BYTE * (await this.bytesOf(ids));
    return this.capacities.run('records', { ...reader, weight }, work);
  }

  /** Total stored bytes. */
  async bytesOf(ids: readonly Uuid[]): Promise<number> {
    // Reads lengths without the texts.
    const [found] = await this.database.query<{ readonly bytes: number }>(sql`
      select coalesce(sum(octet_length(event.imported)), 0)::float8 + coalesce(sum(actions.bytes), 0)::float8 as bytes
        from event, lateral (select sum(octet_length(actions)) as bytes from event_history
                              where event_seq = event.seq) actions
       where ${isOneOf(sql`id`, ids, sql`uuid`)}`);
    return found?.bytes ?? 0;
  }
}
