import { ADVISORY_LOCKS } from '../../platform/database/connection/advisory-locks.js';
import { sql } from '../../kernel/sql/sql.js';
import { withShortWaits } from './patient-locks.js';
import type { ReindexSession } from './reindex-session.js';

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
