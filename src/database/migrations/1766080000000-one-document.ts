import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The facts of a record stand in the text of its document, behind the answer: see src/derived/values/document.ts. The
 * column stays for processes of a release from before, which read and write the documents until a reindex has replaced
 * them; in those that it makes the column is null. Nothing is rewritten here.
 */
export class OneDocument1766080000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event_document alter facts drop not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update event_document
         set body = split_part(body, chr(10), 1),
             facts = ('{' || replace(substr(body, strpos(body, chr(10)) + 1), chr(10), ',') || '}')::jsonb
       where facts is null`);
    await runner.query('alter table event_document alter facts set not null');
    // Whichever release comes next: what searches read is not as it would derive it.
    await runner.query('update derived_version set version = 0');
  }
}
