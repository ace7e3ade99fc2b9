import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexes that find periods and places hold what matches are ordered by, so that some thousand of them are counted and
 * put into order without a look at their rows: those lie scattered, and to fetch them was most of such a search. What was
 * registered at a place in a period is found by one of them.
 */
export class CoveringIndexes1764350000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index event_search_updated, event_search_updated_at_location, event_search_registered,
        event_search_registered_at_location;
      create index event_search_updated on event_search (updated_at desc, id) include (seq, updated_at_location);
      create index event_search_updated_at_location on event_search (updated_at_location, status, type)
        include (updated_at, id, seq);
      create index event_search_registered on event_search (registered_accepted_at) include (type, updated_at, id, seq);
      create index event_search_registered_at_location
        on event_search (registered_created_at_location, status, type, registered_accepted_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index event_search_updated, event_search_updated_at_location, event_search_registered,
        event_search_registered_at_location;
      create index event_search_updated on event_search (updated_at desc, id);
      create index event_search_updated_at_location on event_search (updated_at_location, status, type);
      create index event_search_registered on event_search (registered_accepted_at);
      create index event_search_registered_at_location on event_search (registered_created_at_location, status, type)`);
  }
}
