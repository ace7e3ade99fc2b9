import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A client's `sha_secret` can be replaced (W-15): each has a number, and replaced ones are kept for a while. */
export class ShaSecretGenerations1764720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table replaced_sha_secret');
    for (const table of TABLES) await runner.query(`alter table ${table} drop column sha_secret_generation`);
  }
}

const TABLES = ['webhook_delivery', 'webhook_subscription', 'system_client'];

const UP = [
  // For a client the current one, for a subscription the one under which it was last created or renewed, for a delivery
  // the one under which it was created.
  ...TABLES.map((table) => `alter table ${table} add column sha_secret_generation int not null default 0`),
  `create table replaced_sha_secret (
     client_id uuid not null references system_client on delete cascade,
     generation int not null,
     -- As it was in system_client.
     sealed text not null,
     replaced_at timestamptz not null default now(),
     primary key (client_id, generation)
   )`,
];
