import { isSqlError } from '../../../kernel/errors/sql-state.js';
import pg from 'pg';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { type Issue, ServiceError } from '../../../kernel/errors/service-error.js';
import { sql } from '../../../kernel/sql/sql.js';
import { type EventChange, eventChange } from '../event-change.js';
import { stepwise, TimeSlice } from '../../../platform/queue/time-slice.js';
import type { PreparedEvent } from '../prepare-event.js';
import { sizeOfRow } from '../record-row.js';
import { lockStoredEvents, type StoredEvent } from '../stored-events.js';
import { writeChanges } from './write-changes.js';

/** An event that was created or changed. */
export interface WrittenEvent extends Pick<EventChange, 'record' | 'newActions' | 'knownActions'> {
  readonly kind: 'created' | 'updated';
}

/** The result for one incoming event. */
export type WriteOutcome =
  | WrittenEvent
  /** It existed already, unchanged. */
  | { readonly kind: 'unchanged' }
  /** What would come of it is larger than may be: nothing of it was written. */
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] }
  /** Another event has its tracking id or its registration number: nothing of it was written. */
  | { readonly kind: 'conflict'; readonly on: UniqueValue };

/** How events are written. */
interface Writing {
  /** How much of the term index may be in its pending list, which every search reads: 60 records, or some thousands. */
  readonly pendingTerms: '64kB' | '4MB';
  /** How much is derived of events that are written together, in characters; the last one may exceed it. */
  readonly mostDerived?: number | undefined;
}

/**
 * Writes events, each of them once, into all tables: upserts by id, without rewriting what exists. Resolves with
 * an outcome for each of the first events, in their order: for all of them, unless more is derived of what they become
 * than `mostDerived`; the others are left for another transaction. Any number of writers may work at the same time; a
 * deadlock, which conflicting tracking ids can cause, is thrown as Postgres reports it: see `retryingDeadlocks`.
 */
export async function writeRecords(
  transaction: Queryable,
  events: readonly PreparedEvent[],
  { pendingTerms, mostDerived = Infinity }: Writing = { pendingTerms: '64kB' },
): Promise<readonly WriteOutcome[]> {
  if (new Set(events.map((event) => event.id)).size < events.length) throw new Error('an event is given twice');
  await transaction.query(sql`select set_config('gin_pending_list_limit', ${pendingTerms}, true)`);
  return writeWithin(transaction, events, mostDerived);
}

async function writeWithin(
  transaction: Queryable,
  events: readonly PreparedEvent[],
  mostDerived: number,
): Promise<readonly WriteOutcome[]> {
  if (events.length === 0) return [];
  await transaction.query(sql`savepoint write_records`);
  try {
    const outcomes = await write(transaction, events, mostDerived);
    await transaction.query(sql`release savepoint write_records`);
    return outcomes;
  } catch (error) {
    const violated = uniqueViolation(error);
    if (violated === undefined) throw error;
    await transaction.query(sql`rollback to savepoint write_records`);
    await transaction.query(sql`release savepoint write_records`);
    // Another transaction has created one of the events meanwhile; now it is visible.
    if (violated === 'id') return writeWithin(transaction, events, mostDerived);
    return withoutConflicts(transaction, events, violated, mostDerived);
  }
}

/** Halves the events until the conflicting one is alone. The first half goes first, as if they came one by one. */
async function withoutConflicts(
  transaction: Queryable,
  events: readonly PreparedEvent[],
  on: UniqueValue,
  mostDerived: number,
): Promise<readonly WriteOutcome[]> {
  if (events.length === 1) return [{ kind: 'conflict', on }];
  const middle = Math.ceil(events.length / 2);
  const first = await writeWithin(transaction, events.slice(0, middle), mostDerived);
  if (first.length < middle) return first;
  const second = await writeWithin(transaction, events.slice(middle), mostDerived);
  return [...first, ...second];
}

async function write(
  transaction: Queryable,
  events: readonly PreparedEvent[],
  mostDerived: number,
): Promise<readonly WriteOutcome[]> {
  const stored = await lockStoredEvents(
    transaction,
    events.map((event) => event.id),
  );
  const changes: EventChange[] = [];
  const outcomes: WriteOutcome[] = [];
  const slice = new TimeSlice();
  let derived = 0;
  for (const event of events) {
    if (derived >= mostDerived) break;
    const change = await changeOrRefusal(event, stored.get(event.id), slice);
    if (change === undefined) outcomes.push({ kind: 'unchanged' });
    else if (change instanceof ServiceError) outcomes.push({ kind: 'refused', issues: change.issues });
    else {
      changes.push(change);
      if (change.row !== undefined) derived += sizeOfRow(change.row);
      const { seq, record, newActions, knownActions } = change;
      outcomes.push({ kind: seq === undefined ? 'created' : 'updated', record, newActions, knownActions });
    }
    if (slice.isOver) await slice.next();
  }
  await writeChanges(transaction, changes);
  return outcomes;
}

/** What is to be written, or why it may not be. */
async function changeOrRefusal(
  event: PreparedEvent,
  stored: StoredEvent | undefined,
  slice: TimeSlice,
): Promise<EventChange | ServiceError | undefined> {
  try {
    return await stepwise(eventChange(event, stored), slice);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'BAD_REQUEST') return error;
    throw error;
  }
}

/** What must be unique besides the id. */
export type UniqueValue = 'trackingId' | 'registrationNumber';

const CONSTRAINTS: ReadonlyMap<string, 'id' | UniqueValue> = new Map([
  ['event_id_key', 'id'],
  // Another transaction has performed the same operation on the event meanwhile.
  ['performed_operation_pkey', 'id'],
  ['event_tracking_id_key', 'trackingId'],
  ['event_search_registration_number', 'registrationNumber'],
]);

/** The value that the database refused because another event has it; undefined for every other error. */
export function uniqueViolation(error: unknown): 'id' | UniqueValue | undefined {
  if (!(error instanceof pg.DatabaseError) || !isSqlError(error, 'uniqueViolation')) return undefined;
  return CONSTRAINTS.get(error.constraint ?? '');
}
