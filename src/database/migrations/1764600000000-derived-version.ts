import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The version of derived data in the tables; nobody can read or write a different one. */
export class DerivedVersion1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of GUARDED) await runner.query(`drop trigger derived_version on ${table}`);
    await runner.query('drop function refuse_other_derived_version(), require_derived_version(boolean)');
    await runner.query('drop table derived_version');
  }
}

/** The version is checked for each statement, not for each row: some microseconds. */
const GUARDED = [
  { table: 'event_search', operations: 'insert or update', newerMayToo: false },
  // A reindex of an earlier release ends by emptying this one.
  { table: 'facet', operations: 'insert or truncate', newerMayToo: false },
  { table: 'facet_bitmap', operations: 'insert or update', newerMayToo: false },
  // It announces its own changes (term_doubt): a reindex to a newer version begins with it.
  { table: 'area_term', operations: 'insert or update', newerMayToo: true },
];

const UP = [
  // One row.
  `create table derived_version (
     is_only boolean primary key default true check (is_only),
     version int not null
   )`,
  // The version that earlier releases have written, and that a session without a version reads and writes.
  'insert into derived_version (version) values (1)',

  // Stable: a search asks in its own snapshot. A process from before this release answers a failure of this class with
  // 503.
  `create function require_derived_version(newer_may_too boolean default false) returns boolean
     language plpgsql stable parallel safe as $$
   declare
     theirs int := (select version from derived_version);
     ours int := coalesce(nullif(current_setting('matricula.derived_version', true), ''), '1')::int;
   begin
     if ours = theirs or newer_may_too and ours > theirs then return true; end if;
     raise exception using errcode = '53M01', message = format(
       case when ours > theirs
         then 'What searches read is of version %s, and this release reads and writes version %s: matricula reindex makes it'
         else 'What searches read is of version %s by now, and this release reads and writes version %s: it has to give way to a later one'
       end, theirs, ours);
   end $$`,
  `create function refuse_other_derived_version() returns trigger language plpgsql as $$
   begin
     perform require_derived_version(tg_argv[0]::boolean);
     return null;
   end $$`,
  ...GUARDED.map(
    ({ table, operations, newerMayToo }) => `create trigger derived_version before ${operations} on ${table}
       for each statement execute function refuse_other_derived_version('${newerMayToo}')`,
  ),
];
