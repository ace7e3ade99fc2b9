import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The format of a client's notifications for subscriptions that name none (W-14). */
export class ClientWebhookFormat1764710000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table system_client add column webhook_format text not null default 'standard'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table system_client drop column webhook_format');
  }
}
