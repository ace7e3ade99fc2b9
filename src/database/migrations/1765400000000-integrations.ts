import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Client secrets that can be replaced, and clients that can be deleted (I-1). */
export class Integrations1765400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `alter table system_client
     -- The hash of the secret that was replaced last, and until when it is good.
     add column replaced_secret_hash bytea,
     add column replaced_secret_until timestamptz,
     drop constraint system_client_status_check,
     add constraint system_client_status_check check (status in ('active', 'deactivated', 'deleted'))`,
  // A deleted client keeps its row: with its id in use by nobody else, no token of it becomes valid again.
  `create function end_webhooks_of_client() returns trigger language plpgsql as $$
   begin
     update webhook_subscription set deleted_at = now(), claim_token = null, claimed_until = null
      where client_id = new.client_id and deleted_at is null;
     perform pg_notify('subscription_ended', '');
     return null;
   end $$`,
  `create trigger system_client_deleted after update of status on system_client
     for each row when (new.status = 'deleted' and old.status <> 'deleted')
     execute function end_webhooks_of_client()`,
];

const DOWN = [
  'drop trigger system_client_deleted on system_client',
  'drop function end_webhooks_of_client()',
  // What is deleted is not active again.
  `update system_client set status = 'deactivated' where status = 'deleted'`,
  `alter table system_client
     drop constraint system_client_status_check,
     add constraint system_client_status_check check (status in ('active', 'deactivated')),
     drop column replaced_secret_hash,
     drop column replaced_secret_until`,
];
