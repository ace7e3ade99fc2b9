import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexes that find periods and places hold what matches are ordered by, so that some thousand of them are counted and
 * put into order without a look at their rows: those lie scattered, and to fetch them was most of such a search.
 */
export class CoveringIndexes1764350000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index event_search_updated, event_search_updated_at_location, event_search_registered;
      create index event_search_updated on event_search (updated_at desc, id) include (seq, updated_at_location);
      create index event_search_updated_at_location on event_search (updated_at_location, status, type)
        include (updated_at, id, seq);
      create index event_search_registered on event_search (registered_accepted_at) include (type, updated_at, id, seq)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index event_search_updated, event_search_updated_at_location, event_search_registered;
      create index event_search_updated on event_search (updated_at desc, id);
      create index event_search_updated_at_location on event_search (updated_at_location, status, type);
      create index event_search_registered on event_search (registered_accepted_at)`);
  }
}
