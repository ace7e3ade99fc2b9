/** The hierarchy of administrative areas and locations, and what changes about a place over time (L-1). */
export const PLACES = [
  `create table place (
     id uuid primary key,
     kind text not null check (kind in ('administrativeArea', 'location')),
     name text not null,
     part_of uuid references place deferrable initially deferred,
     location_type text,
     -- By its revision a process finds what has changed since it last read the places. Writers lock the table, so
     -- revisions are committed in order.
     revision bigint not null default 0
   )`,
  'create index place_part_of on place (part_of)',
  'create index place_by_revision on place (revision)',
  'create sequence place_revision',
  `create function place_revised() returns trigger language plpgsql as $$
   begin
     new.revision := nextval('place_revision');
     return new;
   end $$`,
  'create trigger place_revised before insert or update on place for each row execute function place_revised()',

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
  // A place that is written without a version has one from always.
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
];
