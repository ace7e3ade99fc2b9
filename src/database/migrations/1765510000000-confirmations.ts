import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outbox of requested actions, which the country configuration confirms (E-7, E-15). */
export class Confirmations1765510000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table confirmation_attempt, confirmation');
  }
}

const UP = [
  // No foreign key: the only events that are ever deleted are drafts, and what waits for one of them is found to be
  // over.
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
     -- Who posts it now, and until when; of which process the claim is.
     claim_token uuid,
     claimed_until timestamptz,
     holder int,
     holder_token uuid
   ) with (fillfactor = 70)`,
  `create index confirmation_due on confirmation (event_type, action_type, (failures > 0), next_attempt_at)
     where status = 'pending'`,
  `create index confirmation_of_event on confirmation (event_id, position) where status = 'pending'`,
  `create index confirmation_claimed on confirmation (claim_token) where claim_token is not null`,
  'create index confirmation_listed on confirmation (position)',
  'create index confirmation_unsettled on confirmation (status, position) where settled_at is null',
  'create index confirmation_settled on confirmation (settled_at) where settled_at is not null',
  `alter table confirmation
     set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`,

  `create table confirmation_attempt (
     action_id uuid not null references confirmation on delete cascade,
     at timestamptz not null,
     duration_ms int not null,
     -- Of the answer; null when there was none.
     status int,
     -- What kept an answer from coming, or from being understood.
     error text,
     -- The beginning of the answer's body.
     response text
   )`,
  'create index confirmation_attempt_of on confirmation_attempt (action_id, at)',
];
