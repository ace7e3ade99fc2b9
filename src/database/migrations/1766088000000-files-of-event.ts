import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The files that were uploaded for an event are found by it. By their paths, which begin with it, no index finds them
 * unless the database sorts texts by their bytes.
 */
export class FilesOfEvent1766088000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index upload_of_event on upload (event_id) where event_id is not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index upload_of_event');
  }
}
