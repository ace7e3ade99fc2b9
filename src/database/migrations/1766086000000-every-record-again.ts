import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The bitmap of every record is created anew: in that of earlier releases, events that were deleted still have their
 * bits, so that conditions with a NOT count them. Searches work without bitmaps until then.
 */
export class EveryRecordAgain1766086000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('delete from facet where term = 0');
  }

  async down(): Promise<void> {
    // It is right in either release.
  }
}
