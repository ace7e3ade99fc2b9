import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys that the service stores sealed, so that `SECRETS_KEY` can be changed (P-6): see src/auth/client-secret-hash.ts.
 */
export class KeptKey1764910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table kept_key (name text primary key, key_sealed text not null)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table kept_key');
  }
}
