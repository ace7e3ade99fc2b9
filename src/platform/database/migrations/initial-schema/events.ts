/** Events with their actions, the operations that changed them, their numbers, confirmations and files. */
export const EVENTS = [
  // The truth: an event is its append-only list of actions, on top of a record that was imported whole. An
  // imported record without actions is stored only once: as event_document.body.
  `create table event (
     seq bigint generated always as identity primary key,
     id uuid not null unique,
     type text not null,
     tracking_id text not null unique,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     -- The imported record that the actions follow, as JSON; null while there are none. Actions at positions below
     -- imported_actions were known when it was imported: they are part of it.
     imported text,
     imported_actions int not null default 0,
     -- A draft has no derived rows, so that no search finds it.
     is_draft boolean not null default false
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

  // The operations that have changed an event (E-12). No foreign key: rows are deleted with a draft, the only kind of
  // event that is ever deleted.
  `create table performed_operation (
     event_id uuid not null,
     -- SHA-256 of caller, operation and transactionId, which may be long.
     key bytea not null,
     -- SHA-256 of the request as canonical JSON.
     content bytea not null,
     performed_at timestamptz not null default now(),
     primary key (event_id, key)
   )`,

  // How many registration numbers each year has reserved (E-7).
  `create table registration_number_count (
     -- 0: those of a pattern without a year.
     year int primary key,
     reserved bigint not null
   ) with (fillfactor = 10)`,

  // The outbox of requested actions, which the country configuration confirms (E-7, E-15). No foreign key: the only
  // events that are ever deleted are drafts, and their confirmations become over.
  `create table confirmation (
     -- Of the Requested action.
     action_id uuid primary key,
     -- The order in which requests are stored, for an event the order of its actions.
     position bigint not null generated always as identity,
     event_id uuid not null,
     event_type text not null,
     action_type text not null,
     correlation_id text not null,
     created_at timestamptz not null default now(),
     -- waiting: the country configuration will answer later. over: there is nothing to confirm any more.
     status text not null check (status in ('pending', 'waiting', 'accepted', 'rejected', 'dead', 'over')),
     -- When it was last accepted, rejected or over.
     settled_at timestamptz,
     -- Since it was requested or replayed.
     failures int not null default 0,
     -- Null unless it is pending.
     next_attempt_at timestamptz check ((next_attempt_at is not null) = (status = 'pending')),
     -- The claim of the process that posts it now, and its end; the key of that process's advisory lock.
     claim_token uuid,
     claimed_until timestamptz,
     holder int,
     holder_token uuid
   ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`,
  `create index confirmation_due on confirmation (event_type, action_type, (failures > 0), next_attempt_at)
     where status = 'pending'`,
  `create index confirmation_of_event on confirmation (event_id, position) where status = 'pending'`,
  'create index confirmation_claimed on confirmation (claim_token) where claim_token is not null',
  'create index confirmation_listed on confirmation (position)',
  'create index confirmation_unsettled on confirmation (status, position) where settled_at is null',
  'create index confirmation_settled on confirmation (settled_at) where settled_at is not null',

  `create table confirmation_attempt (
     action_id uuid not null references confirmation on delete cascade,
     at timestamptz not null,
     duration_ms int not null,
     -- Of the answer; null when there was none.
     status int,
     -- Why there was no answer, or why it was not understood.
     error text,
     -- The beginning of the answer's body.
     response text
   )`,
  'create index confirmation_attempt_of on confirmation_attempt (action_id, at)',

  // Attachments (F-1). The row exists before the file is stored and until it is removed: whatever a crash leaves in the
  // store has a row. The columns from path to sha256 are null until the file has arrived whole.
  `create table upload (
     id uuid primary key,
     uploader text not null,
     created_at timestamptz not null default now(),
     path text,
     event_id uuid,
     transaction_id text,
     type text,
     bytes bigint,
     sha256 bytea,
     named_by uuid references event (id) on delete set null,
     removing_since timestamptz,
     check (num_nulls(path, transaction_id, type, bytes, sha256) in (0, 5)),
     check (named_by is null or (path is not null and removing_since is null))
   )`,
  'create unique index upload_path on upload (path) where removing_since is null',
  'create unique index upload_transaction on upload (uploader, transaction_id) where removing_since is null',
  'create index upload_named_by on upload (named_by) where named_by is not null',
  'create index upload_unnamed on upload (created_at) where named_by is null',
  // Added up at each upload (F-2).
  `create index upload_unnamed_of on upload (uploader) include (bytes)
     where named_by is null and removing_since is null`,
  'create index upload_of_event on upload (event_id) where event_id is not null',
];
