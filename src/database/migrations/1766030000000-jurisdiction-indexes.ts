import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a user may see is joined by "or": what happened, was declared or was notified in his area (U-5). Where one of
 * the three had no index, every record was looked at. The frequencies are for the plans of searches, as those of other
 * places are.
 */
export class JurisdictionIndexes1766030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of ['place_of_event', 'notified_created_at_location']) {
      await runner.query(`alter table event_search alter ${column} set statistics 1000`);
      await runner.query(`create index event_search_${column} on event_search (${column})`);
    }
    await runner.query('analyze event_search');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['place_of_event', 'notified_created_at_location']) {
      await runner.query(`drop index event_search_${column}`);
      await runner.query(`alter table event_search alter ${column} set statistics -1`);
    }
  }
}
