import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Words of which nearly every record has others, many in a row: see src/events/search/vocabulary/numerous-words.ts. */
export class FuzzyWordLists1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Whoever goes back to the schema before must find every word there.
    await runner.query(`
      insert into fuzzy_word (path_id, word)
      select path_id, word from fuzzy_word_list, unnest(string_to_array(words, ' ')) as word
          on conflict do nothing`);
    await runner.query('drop table fuzzy_word_list');
  }
}

const UP = [
  // Only ever added to, like fuzzy_word, which holds none of these words unless they came in another way.
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
