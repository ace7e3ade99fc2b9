import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The words that fuzzy conditions find, by path: see src/events/search/fuzzy. */
export class FuzzyWords1764050000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table fuzzy_word, fuzzy_path');
  }
}

const UP = [
  `create table fuzzy_path (
     id int generated always as identity primary key,
     -- SHA-256: a path can be too long for an index.
     hash bytea not null unique,
     path text not null,
     is_field boolean not null
   )`,

  // Rows are only ever added: a word that no record has any more does no harm, and every process has read it.
  `create table fuzzy_word (
     path_id int not null,
     word text collate "C" not null,
     -- By what every process knows which words it has not read yet.
     written_by xid8 not null default pg_current_xact_id(),
     primary key (path_id, word)
   )`,
  'create index fuzzy_word_written_by on fuzzy_word (written_by)',
];
