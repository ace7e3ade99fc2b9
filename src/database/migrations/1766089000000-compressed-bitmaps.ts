import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rows of bitmaps are compressed: most have few bits, and take a tenth then. PostgreSQL compresses values of rows alone
 * that are longer than a quarter of a page, so each is given a padding that makes it so. A row that cannot be compressed
 * stays in its page (`main`). Bitmaps are created anew, which searches do without until then.
 */
export class CompressedBitmaps1766089000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('delete from facet');
    await runner.query(
      `alter table facet_bitmap alter bits set storage main, add padding char(72) not null default ''`,
    );
    await runner.query('alter table facet_bitmap alter padding set storage plain');
    // Faster than the default, if the server was built with it.
    await runner.query(`do $$ begin
      alter table facet_bitmap alter bits set compression lz4;
    exception when feature_not_supported then null;
    end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from facet');
    await runner.query('alter table facet_bitmap drop padding, alter bits set storage extended');
  }
}
