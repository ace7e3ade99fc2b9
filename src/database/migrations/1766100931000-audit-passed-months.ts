import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `audit_upkeep` went by the clock alone to drop months of the audit log: one that was set years ahead, even for an
 * hour, dropped the whole log. The months in which it has run are noted now, and so many of them as are kept must lie
 * between a month and this one before it is dropped. A wrong clock adds one to them, and costs one month at most.
 */
export class AuditPassedMonths1766100931000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table audit_retention add column passed text[] not null default '{}'`);
    // Each month in which a service ran has a partition; some have been made ahead.
    await runner.query(`
      update audit_retention set passed = array(
        select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'audit_log'::regclass
           and c.relname::text <= 'audit_log_' || to_char(now() at time zone 'UTC', 'YYYY_MM'))`);
    await replaceInUpkeep(runner, (text) =>
      replaced(replaced(text, READS, `${NOTES}${READS}`), PAST_RETENTION, `${PAST_RETENTION}${HAS_PASSED}`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceInUpkeep(runner, (text) => replaced(replaced(text, NOTES, ''), HAS_PASSED, ''));
    await runner.query('alter table audit_retention drop column passed');
  }
}

const READS = 'select months into kept from audit_retention;';
const NOTES = `partition := 'audit_log_' || to_char(this_month, 'YYYY_MM');
     update audit_retention set passed = passed || partition where partition <> all (passed);
     `;
const PAST_RETENTION = `to_char(this_month - make_interval(months => kept), 'YYYY_MM')`;
const HAS_PASSED = `
         and c.relname::text < (select one from audit_retention, unnest(passed) one
           where one < 'audit_log_' || to_char(this_month, 'YYYY_MM')
           order by one desc offset greatest(kept - 1, 0) limit 1)`;

async function replaceInUpkeep(runner: QueryRunner, change: (text: string) => string): Promise<void> {
  const [row] = (await runner.query(
    `select pg_get_functiondef('audit_upkeep()'::regprocedure) as definition`,
  )) as readonly { readonly definition: string }[];
  await runner.query(change(row?.definition ?? ''));
}

function replaced(text: string, before: string, after: string): string {
  if (!text.includes(before)) throw new Error('audit_upkeep() is not that of an earlier release');
  return text.replace(before, () => after);
}
