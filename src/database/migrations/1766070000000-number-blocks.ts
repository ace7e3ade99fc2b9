import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers and addresses in order, for searches that look near ones up: see src/derived/near-words/blocks. */
export class NumberBlocks1766070000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table number_block, number_blocks_until');
  }
}

const UP = [
  // Written in the background, from what fuzzy_word and fuzzy_word_list have; the first block of each direction stays.
  `create table number_block (
     -- f: words as they are; r: from their last letter to their first.
     direction "char" not null,
     -- No entry of the block sorts before it, and none of the next block before that one's.
     first text collate "C" not null,
     -- Lines of a word, a space and the id of its path.
     entries text collate "C" not null,
     primary key (direction, first)
   ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05)`,
  `insert into number_block values ('f', '', ''), ('r', '', '')`,

  `create table number_blocks_until (
     -- Everything that transactions before this one wrote is in blocks.
     written_before xid8 not null,
     -- The transaction that wrote the row: another one did where it was restored from a dump, and where ids of
     -- transactions are others than they were.
     moved_by xid8 not null default pg_current_xact_id(),
     -- How many characters the shortest e-mail address in blocks has; null while there is none.
     shortest_address int
   )`,
  `insert into number_blocks_until (written_before) values ('0')`,
];
