import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Clients and keys, the location hierarchy, events with their actions, and what searches read: `docs/architecture.md`,
 * Tables.
 */
export class InitialSchema1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table event_document, event_search, event_history, event, place, signing_key, system_client',
    );
  }
}

const UP = [
  `create table system_client (
     client_id uuid primary key,
     name text not null,
     registered_as text,
     scopes text[] not null,
     secret_hash bytea not null,
     sha_secret_sealed text not null,
     status text not null default 'active' check (status in ('active', 'deactivated')),
     created_at timestamptz not null default now(),
     created_by text not null
   )`,

  `create table signing_key (
     kid text primary key,
     public_key text not null,
     private_key_sealed text not null,
     created_at timestamptz not null default now(),
     -- Set by rotation: the key signs no more, and is accepted until its last token has expired.
     accepted_until timestamptz
   )`,

  `create table place (
     id uuid primary key,
     kind text not null check (kind in ('administrativeArea', 'location')),
     name text not null,
     part_of uuid references place deferrable initially deferred,
     location_type text
   )`,
  'create index place_part_of on place (part_of)',

  // The truth: an event is its append-only list of actions, on top of a record that was imported whole. An
  // imported record without actions is stored only once: as event_document.body.
  `create table event (
     seq bigint generated always as identity primary key,
     id uuid not null unique,
     type text not null,
     tracking_id text not null unique,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     -- The record that was imported and that the actions go on from, as JSON; null while there are none. Actions at
     -- positions below imported_actions were known when it was imported: they are part of it.
     imported text,
     imported_actions int not null default 0
   )`,
  // Append-only: a row has what one write added to the event's list of actions. Together they take a third of the space
  // and time that one row for each action would.
  `create table event_history (
     event_seq bigint not null references event on delete cascade,
     -- The position of the first of \`actions\` in the list.
     position int not null,
     -- A JSON list, each action as upstream spells it.
     actions text not null,
     primary key (event_seq, position)
   )`,

  // Derived from the two above in the same transaction. Narrow: everything that can be searched or sorted by, and
  // nothing else.
  `create table event_search (
     seq bigint primary key references event on delete cascade,
     id uuid not null,
     type text not null,
     status text not null,
     tracking_id text not null,
     created_at timestamptz not null,
     created_by text not null,
     created_by_user_type text,
     created_at_location uuid,
     updated_at timestamptz not null,
     updated_by text,
     updated_by_user_role text,
     updated_at_location uuid,
     assigned_to text,
     date_of_event date,
     place_of_event uuid,
     declared_created_at timestamptz,
     declared_created_by text,
     declared_created_by_user_type text,
     declared_created_at_location uuid,
     declared_created_by_role text,
     declared_accepted_at timestamptz,
     registered_created_at timestamptz,
     registered_created_by text,
     registered_created_by_user_type text,
     registered_created_at_location uuid,
     registered_created_by_role text,
     registered_accepted_at timestamptz,
     registration_number text,
     notified_created_by text,
     notified_created_at_location uuid,
     flags text[] not null,
     -- 64-bit hashes of \`field=value\` terms: see src/events/search/terms.ts.
     terms bigint[] not null
   )`,
  'alter table event_search alter terms set statistics 1000',
  'create unique index event_search_id on event_search (id)',
  'create index event_search_tracking_id on event_search (tracking_id)',
  'create unique index event_search_registration_number on event_search (registration_number) where registration_number is not null',
  'create index event_search_updated on event_search (updated_at desc, id)',
  'create index event_search_facets on event_search (status, type, updated_at desc, id)',
  'create index event_search_updated_location on event_search (updated_at_location, status, updated_at desc)',
  'create index event_search_created_location on event_search (created_at_location, status, updated_at desc)',
  'create index event_search_created on event_search (created_at)',
  'create index event_search_registered on event_search (registered_accepted_at)',
  // New entries go to a pending list that every search reads too, and are merged into the index a list at a time, which
  // costs a third. The writer sets how long the list may grow: src/events/records/write-records.ts.
  'create index event_search_terms on event_search using gin (terms) with (fastupdate = on)',
  'alter table event_search set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02)',

  `create table event_document (
     seq bigint primary key references event on delete cascade,
     -- The record as an answer carries it, ready to send (S-13).
     body text not null,
     -- The declaration, prepared for conditions: see src/events/search/facts.ts.
     facts jsonb not null
   )`,
  // Faster than the default, if the server was built with it.
  `do $$ begin
     alter table event_document alter body set compression lz4, alter facts set compression lz4;
     alter table event_history alter actions set compression lz4;
   exception when feature_not_supported then null;
   end $$`,
];
