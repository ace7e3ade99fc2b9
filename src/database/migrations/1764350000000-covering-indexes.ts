import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexes on periods and places include the sort columns, so that some thousand matches are counted and sorted
 * without reading their rows: those are scattered, and reading them took most of the time of such a search. One of them
 * finds what was registered at a place in a period.
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
