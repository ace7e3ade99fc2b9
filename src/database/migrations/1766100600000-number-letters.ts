import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which letters numbers in blocks have, so that look-ups try no others. */
export class NumberLetters1766100600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table number_letters');
  }
}

const UP = [
  // A table of its own: processes of the release before move numbers, too, and know nothing of their letters.
  `create table number_letters (
     -- As in number_blocks_until. Where it differs, others have been moved since.
     written_before xid8 not null,
     -- What the numbers in blocks have beside digits, each once; addresses do not count.
     letters text not null
   )`,
  `insert into number_letters values ('0', '')`,
];
