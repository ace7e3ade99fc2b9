import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drafts, and what makes operations idempotent (E-12, E-13). */
export class Operations1765100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table performed_operation');
    await runner.query('alter table event drop is_draft');
  }
}

const UP = [
  // A draft has no derived rows, so that no search finds it; once it leaves the status CREATED it has them.
  'alter table event add is_draft boolean not null default false',

  // The operations that have changed an event, for as long as there is the event. No foreign key: rows are deleted with
  // a draft, the only kind of event that is ever deleted.
  `create table performed_operation (
     event_id uuid not null,
     -- SHA-256 of caller, operation and transactionId, which may be long.
     key bytea not null,
     -- SHA-256 of what was asked for, as canonical JSON.
     content bytea not null,
     performed_at timestamptz not null default now(),
     primary key (event_id, key)
   )`,
];
