import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a caller has uploaded that no record names is added up at each of its uploads (F-2). */
export class UnnamedUploads1768000510000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index upload_unnamed_of on upload (uploader) include (bytes)
       where named_by is null and removing_since is null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index upload_unnamed_of');
  }
}
