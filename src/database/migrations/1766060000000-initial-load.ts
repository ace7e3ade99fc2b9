import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An initial load takes its secondary indexes away, and keeps here what it has to make again. */
export class InitialLoad1766060000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // At most one row, while a load is under way or interrupted.
    await runner.query(`create table initial_load (
      is_only boolean primary key default true check (is_only),
      version int not null,
      indexes jsonb not null
    )`);
    await runner.query(REQUIRE(LOADING));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table initial_load');
    await runner.query(REQUIRE(''));
  }
}

/**
 * 2147483647 is the version while a load is under way, higher than any that a process can have: nobody reads or writes.
 */
const LOADING = `when theirs = 2147483647
           then 'An initial load of records is under way or was interrupted: records are searched and written when it has ended'`;

const REQUIRE = (
  more: string,
): string => `create or replace function require_derived_version(newer_may_too boolean default false) returns boolean
     language plpgsql stable parallel safe as $$
   declare
     theirs int := (select version from derived_version);
     ours int := coalesce(nullif(current_setting('matricula.derived_version', true), ''), '1')::int;
   begin
     if ours = theirs or newer_may_too and ours > theirs then return true; end if;
     raise exception using errcode = '53M01', message = format(
       case ${more}
         when ours > theirs
         then 'What searches read is of version %s, and this release reads and writes version %s: matricula reindex makes it'
         else 'What searches read is of version %s by now, and this release reads and writes version %s: it has to give way to a later one'
       end, theirs, ours);
   end $$`;
