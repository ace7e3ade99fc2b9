import { MIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { ADVISORY_LOCKS } from '../../platform/database/connection/advisory-locks.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { answerIn } from '../index/values/document.js';
import { HISTORY_COLUMNS, type HistoryColumns } from '../records/stored-events.js';
import { type ReindexSession, withShortWaits } from './reindex-session.js';

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

/** How long writers may take before a message. */
const TOLD_AFTER_MS = 2_000;

/** Noted by triggers in the writer's transaction. */
export class NotedChanges {
  constructor(private readonly session: ReindexSession) {}

  /** Notes every later change; earlier ones are committed. `onWait` is called during delays. */
  async begin(onWait: (attempts: number) => void): Promise<void> {
    await this.lockOutListeners(onWait);
    await withShortWaits(this.session, () => this.session.execute(BEGIN), { onRefused: onWait });
  }

  /** Waits for writers that found the lock free; others continue. */
  private async lockOutListeners(onWait: (attempts: number) => void): Promise<void> {
    const waiting = setTimeout(onWait, TOLD_AFTER_MS, 1);
    try {
      await this.session.query(sql`select pg_advisory_lock(${ADVISORY_LOCKS.listening}::bigint)`);
    } finally {
      clearTimeout(waiting);
    }
  }

  async count(): Promise<number> {
    const [row] = await this.session.query<{ count: number }>(sql`select count(*)::int as count from reindex_changed`);
    return row?.count ?? 0;
  }
}

/** The triggers are dropped with their tables. */
export const FORGET_CHANGES = ['drop table if exists reindex_changed', 'drop function if exists reindex_note()'];

/** The prefix of trigger names. */
export const NOTING_TRIGGER = 'reindex_note_';

const TABLES = ['event_search', 'event_document'];
const OPERATIONS = [
  { name: 'insert', rows: 'new' },
  { name: 'update', rows: 'new' },
  { name: 'delete', rows: 'old' },
];

const BEGIN = [
  // Emptied, not replaced: a dump may read an old one for hours.
  'create unlogged table if not exists reindex_changed (seq bigint not null)',
  'delete from reindex_changed',
  // The service's role may not own the tables.
  `do $do$ begin
     execute format($create$
       create or replace function reindex_note() returns trigger language plpgsql security definer
       set search_path = pg_catalog, %I, pg_temp as $$
       begin
         if not pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.listening}) then
           insert into reindex_changed (seq) select seq from changed;
         end if;
         return null;
       end $$
     $create$, current_schema());
   end $do$`,
  // Replacing a trigger briefly blocks writers; dropping one blocks searches too.
  ...TABLES.flatMap((table) =>
    OPERATIONS.map(
      ({ name, rows }) => `create or replace trigger ${NOTING_TRIGGER}${name} after ${name} on ${table}
        referencing ${rows} table as changed for each statement execute function reindex_note()`,
    ),
  ),
];

/** For a run that ends without replacing the tables. */
export const REMOVE_TRIGGERS = TABLES.flatMap((table) =>
  OPERATIONS.map(({ name }) => `drop trigger if exists ${NOTING_TRIGGER}${name} on ${table}`),
);
