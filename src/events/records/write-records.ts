import { isSqlError } from '../../kernel/errors/sql-state.js';
import pg from 'pg';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { type Issue, ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { type EventChange, eventChange, type PreparedEvent } from './event-change.js';
import { stepwise, TimeSlice } from '../../platform/queue/time-slice.js';
import { sizeOfRow } from './record-row.js';
import { lockStoredEvents, type StoredEvent } from './stored-events.js';
import { writeChanges } from './write-changes.js';

export interface WrittenEvent extends Pick<EventChange, 'record' | 'newActions' | 'knownActions'> {
  readonly kind: 'created' | 'updated';
}

export type WriteOutcome =
  | WrittenEvent
  | { readonly kind: 'unchanged' }
  /** Too large; nothing was written. */
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] }
  /** The tracking id or registration number is in use; nothing was written. */
  | { readonly kind: 'conflict'; readonly on: UniqueValue };

interface Writing {
  /** Limit of the term index's pending list, which every search reads: 60 records, or some thousands. */
  readonly pendingTerms: '64kB' | '4MB';
  /** Derived characters per transaction; the last event may exceed it. */
  readonly mostDerived?: number | undefined;
}

/**
 * Upserts distinct events, without rewriting. Returns outcomes in order; events beyond `mostDerived` need another
 * transaction. Writers may deadlock on tracking ids: see `retryingDeadlocks`.
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
    // Another transaction created an event; it is visible now.
    if (violated === 'id') return writeWithin(transaction, events, mostDerived);
    return withoutConflicts(transaction, events, violated, mostDerived);
  }
}

/** Bisects to the conflicting event; the first half goes first, which preserves the order. */
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

export type UniqueValue = 'trackingId' | 'registrationNumber';

const CONSTRAINTS: ReadonlyMap<string, 'id' | UniqueValue> = new Map([
  ['event_id_key', 'id'],
  // Another transaction performed the same operation on the event.
  ['performed_operation_pkey', 'id'],
  ['event_tracking_id_key', 'trackingId'],
  ['event_search_registration_number', 'registrationNumber'],
]);

/** Undefined for other errors. */
export function uniqueViolation(error: unknown): 'id' | UniqueValue | undefined {
  if (!(error instanceof pg.DatabaseError) || !isSqlError(error, 'uniqueViolation')) return undefined;
  return CONSTRAINTS.get(error.constraint ?? '');
}
