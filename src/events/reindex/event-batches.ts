import { MIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { answerIn } from '../index/values/document.js';
import { HISTORY_COLUMNS, type HistoryColumns } from '../records/stored-events.js';

export interface EventRow extends HistoryColumns {
  readonly seq: string;
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The source of imported records without actions. Null without a document. */
  readonly body: string | null;
}

/** At most `most` rows `{seq}` past `after`, in order. */
export type NextEvents = (after: string, most: number) => Sql;

const MOST_EVENTS = 500;
const MOST_BYTES = 2 * MIB;

/** By `seq`, some hundred at a time, or fewer large ones, to bound memory. */
export async function* eventBatches(
  reader: Queryable,
  next: NextEvents,
): AsyncGenerator<readonly EventRow[], void, undefined> {
  let after = '0';
  for (;;) {
    const rows = await reader.query<EventRow>(batch(next(after, MOST_EVENTS)));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.seq;
  }
}

/** Up to `last`, or all, without drafts. */
export const everyEvent =
  (last?: string): NextEvents =>
  (after, most) => {
    const end = last === undefined ? sql`true` : sql`seq <= ${last}::bigint`;
    return sql`select seq from event where seq > ${after}::bigint and ${end} and not is_draft order by seq limit ${most}::int`;
  };

/** Scalars use the index, whatever the planner estimates. */
const batch = (candidates: Sql): Sql => sql`
  with candidate as (${candidates}),
  sized as materialized (
    select seq, coalesce((select octet_length(body) from event_document where event_document.seq = candidate.seq), 0)
                  + coalesce((select octet_length(imported) from event where event.seq = candidate.seq), 0)
                  + coalesce((select sum(octet_length(actions)) from event_history where event_seq = candidate.seq), 0)
                  as bytes
      from candidate),
  chosen as (
    select seq from (select seq, bytes, sum(bytes) over (order by seq) as together from sized) as counted
     where together - bytes < ${MOST_BYTES}::bigint)
  select event.seq, event.id, event.type, event.tracking_id as "trackingId", event.created_at as "createdAt",
         event.updated_at as "updatedAt",
         (select ${answerIn(sql`body`)} from event_document where event_document.seq = event.seq) as body, ${HISTORY_COLUMNS}
    from event where event.seq = any (array(select seq from chosen))
   order by event.seq`;
