import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Terms for the areas in which the places of a record lie: see src/events/search/areas. */
export class AreaTerms1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Nobody would take these away. Terms of areas that stay in the rows mean nothing to the program before.
    await runner.query('delete from term_doubt where moved_by is not null');
    await runner.query('alter table term_doubt drop column moved_by');
    await runner.query('drop table area_term');
  }
}

const UP = [
  // The terms of a record that names the place, for each column in which it can.
  `create table area_term (
     place uuid primary key,
     created_at_location bigint[] not null,
     updated_at_location bigint[] not null,
     declared_created_at_location bigint[] not null,
     registered_created_at_location bigint[] not null
   )`,
  // Who has moved an area, so that records may have its term, or lack it, wrongly: until their terms have been looked at.
  'alter table term_doubt add column moved_by xid8',
];
