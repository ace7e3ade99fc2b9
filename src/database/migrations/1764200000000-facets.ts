import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exact totals of broad searches: see src/events/search/facets. */
export class Facets1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table facet_dirty, facet_bitmap, facet;
      drop index event_search_created_at_location, event_search_updated_at_location,
                 event_search_declared_at_location, event_search_registered_at_location;
      create index event_search_updated_location on event_search (updated_at_location, status, updated_at desc);
      create index event_search_created_location on event_search (created_at_location, status, updated_at desc)`);
  }
}

const LOCATION_INDEXES = [
  ['created_at_location', 'created_at_location'],
  ['updated_at_location', 'updated_at_location'],
  ['declared_at_location', 'declared_created_at_location'],
  ['registered_at_location', 'registered_created_at_location'],
] as const;

const UP = [
  'drop index event_search_updated_location, event_search_created_location',
  // Few distinct entries, so they are small; a count of what they cover reads nothing else.
  ...LOCATION_INDEXES.map(
    ([name, column]) => `create index event_search_${name} on event_search (${column}, status, type)`,
  ),
  ...LOCATION_INDEXES.map(([, column]) => `alter table event_search alter ${column} set statistics 1000`),

  // The terms with a bitmap: every record with that term has its bit set, at its seq; 0 stands for every record.
  'create table facet (term bigint primary key)',
  `create table facet_bitmap (
     term bigint not null references facet on delete cascade,
     chunk int not null,
     -- Small enough to stay in the row.
     bits bit(15360) not null,
     primary key (term, chunk)
   )`,
  // The records whose bits may be stale, each with the terms that it had before a change. Writers add to it, and the
  // job that applies it to the bitmaps empties it.
  `create table facet_dirty (
     seq bigint not null,
     terms bigint[] not null
   )`,
  'alter table facet_dirty set (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0)',
];
