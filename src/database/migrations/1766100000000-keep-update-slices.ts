import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A process of a release from before the slices of updates takes them for bitmaps of terms that are rare by now. It is
 * not to remove them, as little as it may apply marks (`update-slices`): searches would count without bitmaps until all
 * slices are built again.
 */
export class KeepUpdateSlices1766100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // As before, but for rows, too: they are deleted where it does not refuse.
    await runner.query(`
      create or replace function require_update_slices() returns trigger language plpgsql as $$
      begin
        if current_setting('matricula.bitmaps', true) is distinct from 'update slices' then
          raise exception using errcode = '53M01',
            message = 'Bitmaps of a later release are changed by that release alone';
        end if;
        return old;
      end $$`);
    await runner.query(`
      create trigger update_slices before delete on facet
        for each row when (old.term between -12 and -1) execute function require_update_slices()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger update_slices on facet');
  }
}
