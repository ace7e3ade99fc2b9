import { isSqlError } from '../../../kernel/errors/sql-state.js';

import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { writePreparedTerms } from '../../index/terms/write-terms.js';
import { nameOwnFiles } from '../../files/file-naming.js';
import { asSql } from '../../../kernel/sql/binary-params.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { Creation } from './creation.js';

/** Whether all events were created; false if one exists already, and then nothing was written. */
export async function writeCreation(transaction: Queryable, creation: Creation): Promise<boolean> {
  const { statement, ids, terms, files } = creation;
  if (statement === undefined) return false;
  // In the order of a reindex that swaps them: while this waits for one, it holds nothing that the swap needs next.
  await transaction.query(sql`lock table event, event_search, event_document, bitmap_dirty in row exclusive mode`);
  const existing = await transaction.query(sql`select from event where id = any (${ids}::uuid[]) limit 1`);
  if (existing.length > 0) return false;
  // The id comes before the snapshot in which terms of areas are read: `settleAreaTerms` waits for those that have one.
  await transaction.query(sql`select set_config('gin_pending_list_limit', '4MB', true), pg_current_xact_id()`);
  await transaction.query(asSql(statement));
  await writePreparedTerms(transaction, terms);
  await nameOwnFiles(transaction, files);
  return true;
}

/**
 * Whether the database refused a creation because of another event: one by one, the lines have an outcome each.
 */
export const isRefused = (error: unknown): boolean => isSqlError(error, 'uniqueViolation', 'deadlockDetected');
