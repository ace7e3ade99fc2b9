import type { Queryable } from '../../database/queryable.js';
import type { Uuid } from '../../domain/uuid.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import type { HistoryColumns } from '../records/stored-events.js';
import { HISTORY_COLUMNS } from '../records/stored-events.js';

/** An event as the tables of truth hold it. */
export interface EventRow extends HistoryColumns {
  readonly seq: string;
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** What answers carry of it: the truth of a record that was imported and has no actions. Null when there is no document. */
  readonly body: string | null;
}

const MOST_EVENTS = 500;
const MOST_BYTES = 1_048_576;

/**
 * The events that satisfy `which`, a condition on the table `event`, in the order of their `seq`: some hundred at a time,
 * or fewer where they are large, so that memory is bounded by the largest one.
 */
export async function* eventBatches(
  reader: Queryable,
  which: Sql,
): AsyncGenerator<readonly EventRow[], void, undefined> {
  let after = '0';
  for (;;) {
    const rows = await reader.query<EventRow>(nextBatch(which, after));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.seq;
  }
}

const nextBatch = (which: Sql, after: string): Sql => sql`
  with sized as (
    select event.seq,
           coalesce(octet_length(body), 0) + coalesce(octet_length(imported), 0)
             + coalesce((select sum(octet_length(actions)) from event_history where event_seq = event.seq), 0) as bytes
      from event left join event_document using (seq)
     where event.seq > ${after}::bigint and ${which}
     order by event.seq limit ${MOST_EVENTS}::int),
  chosen as (
    select seq from (select seq, bytes, sum(bytes) over (order by seq) as together from sized) as counted
     where together - bytes < ${MOST_BYTES}::bigint)
  select event.seq, event.id, event.type, event.tracking_id as "trackingId", event.created_at as "createdAt",
         event.updated_at as "updatedAt", event_document.body, ${HISTORY_COLUMNS}
    from chosen join event using (seq) left join event_document using (seq)
   order by event.seq`;
