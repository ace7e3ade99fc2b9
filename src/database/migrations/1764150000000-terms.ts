import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Allows the terms of a search to decide by themselves: see src/events/search/terms.ts and src/events/search/shapes.
 */
export class Terms1764150000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table data_shape, term_doubt, term');
  }
}

const UP = [
  // The texts of the countable terms, so that two with one hash are detected. Rows are only ever added.
  `create table term (
     hash bigint primary key,
     text text collate "C" not null
   )`,

  // Hashes that stand for more than one text, and other reasons why terms do not decide. Rows are only ever added; it
  // is nearly empty.
  `create table term_doubt (
     hash bigint primary key
   )`,

  // Which kinds of values occur at which path. Rows are only ever added; every process has read it.
  `create table data_shape (
     path_id int not null,
     aspect text collate "C" not null,
     -- By what every process knows which rows it has not read yet, as in fuzzy_word.
     written_by xid8 not null default pg_current_xact_id(),
     primary key (path_id, aspect)
   )`,
  'create index data_shape_written_by on data_shape (written_by)',
];
