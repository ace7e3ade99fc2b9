import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names beside numbers in blocks, once there are too many for the memory of processes. */
export class NameBlocks1766085000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from number_block where direction in ('F', 'R')`);
    await runner.query('drop table name_blocks_until');
  }
}

const UP = [
  // Processes of the release before do not read these directions, and have all names in memory.
  `insert into number_block values ('F', '', ''), ('R', '', '')`,

  // As number_blocks_until. A table of its own: processes of the release before write that one, and would vouch for
  // this.
  `create table name_blocks_until (
     -- Every name that transactions before this one wrote is in blocks; 0 while processes have room for all of them.
     written_before xid8 not null,
     moved_by xid8 not null default pg_current_xact_id(),
     -- What the names in blocks are sorted by, each letter once: look-ups try no others.
     letters text not null default ''
   )`,
  `insert into name_blocks_until (written_before) values ('0')`,
];
