import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The runs of a reindex (I-5). */
export class ReindexRuns1765410000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table reindex_run (
      id uuid primary key,
      started_at timestamptz not null default now(),
      status text not null default 'running' check (status in ('running', 'completed', 'failed')),
      processed int not null default 0,
      error_message text,
      completed_at timestamptz
    )`);
    await runner.query('create index reindex_run_started on reindex_run (started_at desc, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table reindex_run');
  }
}
