import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The version of Unicode by which the words of derived data were split and folded. A process that starts states its own
 * where none is known, as for records that earlier releases have derived.
 */
export class UnicodeVersion1766100900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table derived_version add unicode text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table derived_version drop unicode');
  }
}
