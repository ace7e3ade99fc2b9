import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { markChanged } from '../../index/mark-dirty.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { StoredEvent } from '../stored-events.js';

export async function deleteEvents(
  transaction: Queryable,
  events: readonly Pick<StoredEvent, 'seq' | 'id'>[],
): Promise<void> {
  if (events.length === 0) return;
  const seqs = events.map(({ seq }) => seq);
  await transaction.query(
    markChanged(sql`
      delete from event_search where seq = any (${seqs}::bigint[])
      returning seq, terms as had, '{}'::bigint[] as has, updated_at`),
  );
  await transaction.query(sql`delete from event where seq = any (${seqs}::bigint[])`);
  await transaction.query(
    sql`delete from performed_operation where event_id = any (${events.map(({ id }) => id)}::uuid[])`,
  );
}
