import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Few deliveries are dead: counting or replaying them should read no others (W-7, W-10). */
export class DeadDeliveries1764250000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index webhook_delivery_dead on webhook_delivery (subscription_id, created_at) where status = 'dead'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index webhook_delivery_dead');
  }
}
