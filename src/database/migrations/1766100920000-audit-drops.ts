import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Months of the audit log that are past retention are all refused while somebody reads the log. `audit_upkeep` waited
 * half a second for each of them, and whoever writes to the log behind it: once, where fewer months are kept than there
 * are, for sixty of them. It waits for the first now, and others are dropped if they are free.
 */
export class AuditDrops1766100920000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replaceInUpkeep(runner, REFUSED, NO_LONGER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceInUpkeep(runner, NO_LONGER, REFUSED);
  }
}

const REFUSED = `exception when lock_not_available then
         null;`;
// The function has a lock_timeout of its own, and the former value comes back when it ends.
const NO_LONGER = `exception when lock_not_available then
         perform set_config('lock_timeout', '1ms', true);`;

async function replaceInUpkeep(runner: QueryRunner, before: string, after: string): Promise<void> {
  const [row] = (await runner.query(
    `select pg_get_functiondef('audit_upkeep()'::regprocedure) as definition`,
  )) as readonly { readonly definition: string }[];
  if (row?.definition.includes(before) !== true) throw new Error('audit_upkeep() is not that of an earlier release');
  await runner.query(row.definition.replace(before, () => after));
}
