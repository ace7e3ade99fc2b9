import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Terms for the areas that contain the places of a record: see src/events/search/areas. */
export class AreaTerms1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Nobody would remove these. Terms of areas that remain in the rows mean nothing to the previous program.
    await runner.query('delete from term_doubt where moved_by is not null');
    await runner.query('alter table term_doubt drop column moved_by');
    await runner.query('drop table area_term');
  }
}

const UP = [
  // The terms of a record that names the place, for each column that can.
  `create table area_term (
     place uuid primary key,
     created_at_location bigint[] not null,
     updated_at_location bigint[] not null,
     declared_created_at_location bigint[] not null,
     registered_created_at_location bigint[] not null
   )`,
  // Who moved an area, so that records may wrongly have or lack its term until their terms have been checked.
  'alter table term_doubt add column moved_by xid8',
];
