import { DERIVED_VERSION } from '../../connection/derived-version.js';

const PLACE_COLUMNS = [
  'created_at_location',
  'updated_at_location',
  'declared_created_at_location',
  'registered_created_at_location',
  'place_of_event',
  'notified_created_at_location',
];

/** Searches read these; they are derived from events in the same transaction. */
const RECORDS = [
  // Narrow: what can be searched or sorted by, and nothing else.
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
     -- 64-bit keyed hashes of \`field=value\` terms.
     terms bigint[] not null
   ) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02)`,
  ...[...PLACE_COLUMNS, 'terms'].map((column) => `alter table event_search alter ${column} set statistics 1000`),
  'create unique index event_search_id on event_search (id)',
  'create index event_search_tracking_id on event_search (tracking_id)',
  `create unique index event_search_registration_number on event_search (registration_number)
     where registration_number is not null`,
  'create index event_search_created on event_search (created_at)',
  // Indexes on periods and places include the sort columns: thousands of scattered rows need not be read.
  'create index event_search_updated on event_search (updated_at desc, id) include (seq, updated_at_location)',
  'create index event_search_status_type on event_search (status, type, updated_at desc, id)',
  `create index event_search_registered on event_search (registered_accepted_at) include (type, updated_at, id, seq)
     where registered_accepted_at is not null`,
  'create index event_search_created_at_location on event_search (created_at_location, status, type)',
  `create index event_search_updated_at_location on event_search (updated_at_location, status, type)
     include (updated_at, id, seq)`,
  'create index event_search_declared_at_location on event_search (declared_created_at_location, status, type)',
  `create index event_search_registered_at_location
     on event_search (registered_created_at_location, status, type, registered_accepted_at)`,
  // A jurisdiction is joined by "or": without one of these every record would be read (U-5).
  'create index event_search_place_of_event on event_search (place_of_event)',
  'create index event_search_notified_created_at_location on event_search (notified_created_at_location)',
  // New entries go to a pending list, which costs a third; the writer bounds its length.
  'create index event_search_terms on event_search using gin (terms) with (fastupdate = on)',

  `create table event_document (
     seq bigint primary key references event on delete cascade,
     -- The record as an answer carries it, ready to send (S-13); its facts are in the lines behind.
     body text not null
   ) with (toast_tuple_target = 2712)`,
];

/** The key of terms, and the shapes and words of declarations. Rows are only ever added. */
const TERMS_AND_WORDS = [
  // One row: 128 random bits, under which terms are hashed, so that nobody can make two collide.
  `create table term_key (
     is_only boolean primary key default true check (is_only),
     key bytea not null check (octet_length(key) = 16)
   )`,
  `insert into term_key (key)
   select substring(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid(), 'UTF8')) for 16)`,

  // Which kinds of values occur at which path.
  `create table data_shape (
     path_id int not null,
     aspect text collate "C" not null,
     primary key (path_id, aspect)
   )`,
  'create index data_shape_aspect on data_shape (aspect, path_id)',

  `create table fuzzy_path (
     id int generated always as identity primary key,
     -- SHA-256: a path can be too long for an index.
     hash bytea not null unique,
     path text not null,
     is_field boolean not null
   )`,
  `create table fuzzy_word (
     path_id int not null,
     word text collate "C" not null,
     primary key (word, path_id)
   )`,
  // A row for each way to leave out up to two of the first seven letters of a word: words near each other share a key.
  `create table fuzzy_key (
     key int not null,
     word text collate "C" not null,
     primary key (key, word)
   ) with (autovacuum_vacuum_insert_scale_factor = 0.05)`,
];

/** Bitmaps, for exact totals of broad searches. */
const BITMAPS = [
  // The terms with a bitmap: every record with that term has its bit set, at its seq; 0 stands for every record.
  `create table bitmap (
     term bigint primary key,
     -- Of an area: the records whose column is one of the places.
     place_column text,
     places uuid[]
   )`,
  `create table bitmap_chunk (
     term bigint not null,
     chunk int not null,
     bits bit(15360) not null,
     -- PostgreSQL compresses values only in rows longer than a quarter of a page: it makes each as long.
     padding char(72) not null default '',
     primary key (term, chunk)
   )`,
  'alter table bitmap_chunk alter bits set storage main, alter padding set storage plain',
  // The records whose bits may be stale, with the terms that they have lost and the places before. Writers add marks;
  // the job that applies them to the bitmaps removes them.
  `create table bitmap_dirty (
     seq bigint not null,
     terms bigint[] not null,
     places uuid[] not null
   ) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0)`,
];

/** The version is checked for each statement, not for each row: some microseconds. */
const GUARDED = [
  { table: 'event_search', operations: 'insert or update' },
  { table: 'bitmap', operations: 'insert or truncate' },
  { table: 'bitmap_chunk', operations: 'insert or update' },
];

/** The version of derived data: nobody reads or writes a different one. */
const VERSIONS = [
  // One row.
  `create table derived_version (
     is_only boolean primary key default true check (is_only),
     version int not null
   )`,
  `insert into derived_version (version) values (${DERIVED_VERSION})`,
  // Stable: a search asks in its own snapshot.
  `create function require_derived_version() returns boolean
     language plpgsql stable parallel safe as $$
   declare
     theirs int := (select version from derived_version);
     ours int := coalesce(nullif(current_setting('matricula.derived_version', true), ''), '1')::int;
   begin
     if ours = theirs then return true; end if;
     raise exception using errcode = '53M01', message = format(
       case when ours > theirs
         then 'What searches read is of version %s, and this release reads and writes version %s: matricula reindex makes it'
         else 'What searches read is of version %s by now, and this release reads and writes version %s: it has to give way to a later one'
       end, theirs, ours);
   end $$`,
  `create function refuse_other_derived_version() returns trigger language plpgsql as $$
   begin
     perform require_derived_version();
     return null;
   end $$`,
  ...GUARDED.map(
    ({ table, operations }) => `create trigger derived_version before ${operations} on ${table}
       for each statement execute function refuse_other_derived_version()`,
  ),

  // The runs of a reindex (I-5).
  `create table reindex_run (
     id uuid primary key,
     started_at timestamptz not null default now(),
     status text not null default 'running' check (status in ('running', 'completed', 'failed')),
     processed int not null default 0,
     error_message text,
     completed_at timestamptz
   )`,
  'create index reindex_run_started on reindex_run (started_at desc, id)',
  // What was written since the running one began. Unlogged: it ends with the server at the latest.
  'create unlogged table reindex_changed (seq bigint not null)',
];

/** Faster than the default, if the server was built with it. */
const COMPRESSION = `do $$ begin
  alter table event_document alter body set compression lz4;
  alter table event_history alter actions set compression lz4;
  alter table bitmap_chunk alter bits set compression lz4;
exception when feature_not_supported then null;
end $$`;

export const SEARCH = [...RECORDS, ...TERMS_AND_WORDS, ...BITMAPS, ...VERSIONS, COMPRESSION];
