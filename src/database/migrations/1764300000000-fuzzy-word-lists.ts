import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Words that differ in nearly every record, many in one row: see src/events/search/vocabulary/numerous-words.ts. */
export class FuzzyWordLists1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    // After a rollback to the previous schema, every word must be there.
    await runner.query(`
      insert into fuzzy_word (path_id, word)
      select path_id, word from fuzzy_word_list, unnest(string_to_array(words, ' ')) as word
          on conflict do nothing`);
    await runner.query('drop table fuzzy_word_list');
  }
}

const UP = [
  // Rows are only ever added, as in fuzzy_word, which has none of these words unless they were written one by one.
  `create table fuzzy_word_list (
     path_id int not null,
     -- Every event that has one of the words is among these; others are too.
     seqs int8range not null,
     -- With spaces between.
     words text not null,
     -- By what every process knows which rows it has not read yet, as in fuzzy_word.
     written_by xid8 not null default pg_current_xact_id()
   )`,
  'create index fuzzy_word_list_written_by on fuzzy_word_list (written_by)',
  'create index fuzzy_word_list_seqs on fuzzy_word_list using gist (seqs)',
];
