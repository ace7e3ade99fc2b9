import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a subscription was last renewed: a 410 to what was sent before does not end it. An earlier release beside this
 * one neither says nor asks that: what it renews, or is answered, ends the subscription as before.
 */
export class RenewedSubscriptions1766100100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_subscription add column renewed_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_subscription drop column renewed_at');
  }
}
