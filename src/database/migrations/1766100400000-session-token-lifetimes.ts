import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How long the longest access token of a session lives that was signed for it: so long its end is remembered, whatever
 * lifetime is configured by then. For sessions of earlier releases it is as long as any token may live.
 */
export class SessionTokenLifetimes1766100400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table session_family add column token_seconds integer not null default 604800');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table session_family drop column token_seconds');
  }
}
