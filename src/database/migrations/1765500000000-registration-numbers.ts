import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many registration numbers each year has reserved (E-7). */
export class RegistrationNumbers1765500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table registration_number_count (
        -- 0: those of a pattern without a year.
        year int primary key,
        reserved bigint not null
      ) with (fillfactor = 10)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table registration_number_count');
  }
}
