import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who holds the lease on a subscription's deliveries (W-16), and how soon its subscriber answers (W-9). */
export class LaneHolders1764800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table webhook_subscription
        -- Its latest answer took a second or longer; null: none has come yet.
        add column slow boolean,
        -- Of the process that made the claim holder_token: the key of its advisory lock. It says nothing of another claim,
        -- such as that of a release which knows no holders.
        add column holder int,
        add column holder_token uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table webhook_subscription drop column slow, drop column holder, drop column holder_token',
    );
  }
}
