import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attachments (F-1): where their bytes are, whose they are, and which event names them. */
export class Uploads1765300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table upload');
  }
}

const UP = [
  // A row is there before its file is, and until after it is gone: whatever a crash leaves in the store has a row.
  // The columns from path to sha256 are null until the file has arrived whole.
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
];
