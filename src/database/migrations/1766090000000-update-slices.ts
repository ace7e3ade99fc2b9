import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bitmaps also have the slices of when records were last updated. A process of an earlier release does not know of
 * them: were it to apply the marks of writers, records would lack their bits there, and searches would miss them. So it
 * is refused, as it is where derived data has another version; marks then wait for a process of this release.
 */
export class UpdateSlices1766090000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // When the record was last updated before the change, as earlier releases do not say: its bits are stale in every
    // slice then. `-infinity` for a new record.
    await runner.query('alter table facet_dirty add updated_at timestamptz');
    await runner.query(`
      create function require_update_slices() returns trigger language plpgsql as $$
      begin
        if current_setting('matricula.bitmaps', true) is distinct from 'update slices' then
          raise exception using errcode = '53M01',
            message = 'Marks are applied to the bitmaps of a later release by that release alone';
        end if;
        return null;
      end $$`);
    await runner.query(`
      create trigger update_slices before delete on facet_dirty
        for each statement execute function require_update_slices()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger update_slices on facet_dirty');
    await runner.query('drop function require_update_slices()');
    await runner.query('alter table facet_dirty drop updated_at');
    // An earlier release would not keep them.
    await runner.query('delete from facet where term between -12 and -1');
  }
}
