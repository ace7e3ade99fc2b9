import type { Database } from '../../src/platform/database/pools/database.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { EVERY_TERM } from '../../src/events/index/bitmaps/bitmap.js';
import { UPDATE_SLICES } from '../../src/events/index/bitmaps/update-period.js';
import { beginBitmaps, buildPart } from '../../src/events/index/bitmaps/build-bitmaps.js';
import { foldDirty, mayWriteBitmaps } from '../../src/events/index/bitmaps/write-bitmaps.js';
import type { Instant } from '../../src/kernel/domain/calendar.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { checkDerived } from '../../src/events/reindex/check/check-derived.js';
import { WITHOUT_FORMS } from './without-forms.js';

/** Applies the marks of writers; resolves with their number. */
export const applyMarks = (database: Database, most = 1_000): Promise<number> =>
  database.transaction((transaction) => foldDirty(transaction, most));

/** Makes bitmaps of terms by going through all records. */
export async function buildTogether(transaction: Queryable, terms: readonly bigint[]): Promise<void> {
  await beginBitmaps(transaction, terms);
  while ((await buildPart(transaction)) !== undefined);
}

/** Makes bitmaps of these terms, of every record, and the slices of updates; and applies what is marked. */
export const buildWithSlices = (
  database: Database,
  terms: readonly bigint[],
  slices: readonly bigint[] = UPDATE_SLICES,
): Promise<void> =>
  database.transaction(async (transaction) => {
    await mayWriteBitmaps(transaction);
    await buildTogether(transaction, [EVERY_TERM, ...slices, ...terms]);
    await foldDirty(transaction, 1_000);
  });

export const updated = (record: EventRecord, updatedAt: Instant): EventRecord => ({ ...record, updatedAt });

/** The bitmaps that are not as the records are. */
export const wrongBits = async (database: Database) =>
  (await checkDerived(database, WITHOUT_FORMS)).differences.filter(({ kind }) => kind === 'bitmap_chunk');
