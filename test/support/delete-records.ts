import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { deleteEvents } from '../../src/events/records/write-changes.js';
import { lockStoredEvents } from '../../src/events/records/stored-events.js';

/** Deletes the events with these ids, as far as they exist. */
export async function deleteRecords(transaction: Queryable, ids: readonly Uuid[]): Promise<void> {
  await deleteEvents(transaction, [...(await lockStoredEvents(transaction, ids)).values()]);
}
