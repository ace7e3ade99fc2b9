import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a notice to a user was not sent: for whoever looks after it, once its body is erased (U-9). */
export class NoticeFailures1766010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // What its last attempt met, such as `answered 503`; null until one has failed. It says nothing of the notice.
    await runner.query('alter table user_notice add column last_failure text');
    await runner.query(`create index user_notice_dead on user_notice (settled_at) where status = 'dead'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index user_notice_dead');
    await runner.query('alter table user_notice drop column last_failure');
  }
}
