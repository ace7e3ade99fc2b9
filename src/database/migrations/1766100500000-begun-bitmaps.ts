import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bitmaps that are being made: their bits stand in `facet_bitmap` with the others, up to a row, and marks are applied to
 * these rows as well. A process of an earlier release does not know of them: it may not apply marks, nor make bitmaps
 * of its own.
 */
export class BegunBitmaps1766100500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    await runner.query(requiring('built in parts'));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
    await runner.query(requiring('update slices'));
  }
}

/**
 * In the order of searches: one that waits for the first of these tables holds none of the others. Otherwise this would
 * wait for a search that waits for this, each time, for as long as there are searches.
 */
const LOCK = 'lock table event_search, facet, facet_bitmap in access exclusive mode';

const UP = [
  LOCK,
  // Room for new versions of its rows, each of which is updated with every part.
  `create table facet_begun (
     term bigint primary key,
     -- The bits of all rows before this one are there.
     next_chunk int not null
   ) with (fillfactor = 50)`,

  // As the foreign key did, for bitmaps that are there; bits of those that are begun have no row in `facet`.
  'alter table facet_bitmap drop constraint facet_bitmap_term_fkey',
  `create function forget_bits() returns trigger language plpgsql as $$
   begin
     delete from facet_bitmap where term = old.term;
     return null;
   end $$`,
  'create trigger forget_bits after delete on facet for each row execute function forget_bits()',

  // Whoever empties the table of bits, as a reindex of an earlier release does, leaves nothing that was begun.
  `create function forget_begun() returns trigger language plpgsql as $$
   begin
     delete from facet_begun;
     return null;
   end $$`,
  'create trigger forget_begun after truncate on facet_bitmap for each statement execute function forget_begun()',

  `create trigger built_in_parts before insert on facet
     for each statement execute function require_update_slices()`,
];

const DOWN = [
  LOCK,
  'drop trigger built_in_parts on facet',
  'drop trigger forget_begun on facet_bitmap',
  'drop trigger forget_bits on facet',
  'drop function forget_begun(), forget_bits()',
  'delete from facet_bitmap where term not in (select term from facet)',
  'drop table facet_begun',
  'alter table facet_bitmap add foreign key (term) references facet on delete cascade',
];

/** The function of the migrations `update-slices` and `keep-update-slices`, with what a session has to say. */
const requiring = (known: 'update slices' | 'built in parts'): string => `
  create or replace function require_update_slices() returns trigger language plpgsql as $$
  begin
    if current_setting('matricula.bitmaps', true) is distinct from '${known}' then
      raise exception using errcode = '53M01',
        message = 'Bitmaps of a later release are changed by that release alone';
    end if;
    return old;
  end $$`;
