import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which roles a user has had while he was active: the set-up stays complete when its administrator is deactivated, or
 * gets another role. The trigger notes it, so that processes of earlier releases do so too.
 */
export class RolesHeld1766087000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table user_account add column roles_held text[] not null default '{}'`);
    await runner.query(
      revising(`
        if new.status = 'active' and not new.role = any (new.roles_held) then
          new.roles_held := new.roles_held || new.role;
        end if;`),
    );
    // Whoever is deactivated may have been active before. No user is changed by it: the trigger would say so.
    await runner.query('alter table user_account disable trigger user_revised');
    await runner.query(`update user_account set roles_held = array[role] where status <> 'pending'`);
    await runner.query('alter table user_account enable trigger user_revised');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(revising(''));
    await runner.query('alter table user_account drop column roles_held');
  }
}

const revising = (more: string): string => `
  create or replace function user_revised() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(hashtext('matricula.users'));
    new.revision := nextval('user_revision');
    new.updated_at := now();${more}
    perform pg_notify('user_changed', '');
    return new;
  end $$`;
