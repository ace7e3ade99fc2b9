import type { Queryable } from '../../src/database/queryable.js';
import type { Uuid } from '../../src/domain/uuid.js';
import { deleteEvents } from '../../src/records/store/delete-events.js';
import { lockStoredEvents } from '../../src/records/stored-events.js';

/** Deletes the events with these ids, as far as they exist. */
export async function deleteRecords(transaction: Queryable, ids: readonly Uuid[]): Promise<void> {
  await deleteEvents(transaction, [...(await lockStoredEvents(transaction, ids)).values()]);
}
