import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { sql } from '../sql/sql.js';
import { withShortWaits } from './patient-locks.js';
import type { ReindexSession } from './reindex-session.js';

/** Writes during the rebuild, noted by triggers in the writer's transaction. */
export class NotedChanges {
  constructor(private readonly session: ReindexSession) {}

  /** From now on, every change of a derived row is noted; earlier changes are committed. */
  async begin(): Promise<void> {
    // Waits for writers that found the lock free.
    await this.session.query(sql`select pg_advisory_lock(${ADVISORY_LOCKS.listening}::bigint)`);
    await withShortWaits(this.session, () => this.session.execute(BEGIN));
  }

  /** How many notes there are. */
  async count(): Promise<number> {
    const [row] = await this.session.query<{ count: number }>(sql`select count(*)::int as count from reindex_changed`);
    return row?.count ?? 0;
  }
}

/** The triggers are dropped with their tables. */
export const FORGET_CHANGES = ['drop table if exists reindex_changed', 'drop function if exists reindex_note()'];

/** The prefix of the names of a reindex's triggers. */
export const NOTING_TRIGGER = 'reindex_note_';

const TABLES = ['event_search', 'event_document'];
const OPERATIONS = [
  { name: 'insert', rows: 'new' },
  { name: 'update', rows: 'new' },
  { name: 'delete', rows: 'old' },
];

const BEGIN = [
  'drop table if exists reindex_changed',
  'create unlogged table reindex_changed (seq bigint not null)',
  `create or replace function reindex_note() returns trigger language plpgsql as $$
   begin
     if not pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.listening}) then
       insert into reindex_changed (seq) select seq from changed;
     end if;
     return null;
   end $$`,
  // Replacing a trigger keeps writers out for a moment; dropping one would keep searches out too.
  ...TABLES.flatMap((table) =>
    OPERATIONS.map(
      ({ name, rows }) => `create or replace trigger ${NOTING_TRIGGER}${name} after ${name} on ${table}
        referencing ${rows} table as changed for each statement execute function reindex_note()`,
    ),
  ),
];

/** For a run that ends without having replaced the tables. */
export const REMOVE_TRIGGERS = TABLES.flatMap((table) =>
  OPERATIONS.map(({ name }) => `drop trigger if exists ${NOTING_TRIGGER}${name} on ${table}`),
);
