import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What changes about a place over time, beside the place itself (L-1). */
export class PlaceVersions1765200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `create table place_version (
     version_id uuid primary key,
     place uuid not null references place on delete cascade,
     -- 0001-01-01: always.
     effective_from date not null,
     name text not null,
     external_id text,
     status text not null default 'active' check (status in ('active', 'inactive')),
     unique (place, effective_from)
   )`,
  'create index place_version_external_id on place_version (external_id) where external_id is not null',
  // The id of the place does for its first version too: no other process could choose another.
  `insert into place_version (version_id, place, effective_from, name) select id, id, '0001-01-01', name from place`,

  // A place that a process of the release before adds has a version as well.
  `create function place_has_version() returns trigger language plpgsql as $$
   begin
     insert into place_version (version_id, place, effective_from, name)
     select new.id, new.id, '0001-01-01', new.name
      where exists (select from place where id = new.id)
        and not exists (select from place_version where place = new.id);
     return null;
   end $$`,
  `create constraint trigger place_has_version after insert on place deferrable initially deferred
   for each row execute function place_has_version()`,

  // By its revision a process finds what has changed since it last read the places. Writers hold a lock on the table,
  // so revisions are committed in their order.
  'create sequence place_revision',
  'alter table place add column revision bigint not null default 0',
  `create function place_revised() returns trigger language plpgsql as $$
   begin
     new.revision := nextval('place_revision');
     return new;
   end $$`,
  'create trigger place_revised before insert or update on place for each row execute function place_revised()',
  'create index place_by_revision on place (revision)',
  'update place set name = name',
];

const DOWN = [
  'drop trigger place_revised on place',
  'drop function place_revised()',
  'alter table place drop column revision',
  'drop sequence place_revision',
  'drop trigger place_has_version on place',
  'drop function place_has_version()',
  'drop table place_version',
];
