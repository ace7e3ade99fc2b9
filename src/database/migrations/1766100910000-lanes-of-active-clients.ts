import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which subscriptions are those of clients that are not deactivated: whoever claims lanes passes over the others,
 * however many there are and whatever waits on them. See src/webhooks/delivery/waiting-lanes.ts.
 */
export class LanesOfActiveClients1766100910000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // Whoever subscribes holds the row of its client, which is active, until the commit: so this is never behind.
  'alter table webhook_subscription add column client_active boolean not null default true',
  // Before the clients are read: to create the trigger waits for whoever changes one, and from then on it marks.
  `create function park_webhooks_of_client() returns trigger language plpgsql as $$
   begin
     update webhook_subscription set client_active = (new.status = 'active')
      where client_id = new.client_id and deleted_at is null and client_active <> (new.status = 'active');
     return null;
   end $$`,
  `create trigger system_client_status_changed after update of status on system_client
     for each row when (new.status <> old.status) execute function park_webhooks_of_client()`,
  `update webhook_subscription s set client_active = false
     from system_client c where c.client_id = s.client_id and c.status <> 'active'`,
  `create index webhook_subscription_claimable on webhook_subscription (id)
     where status = 'active' and deleted_at is null and client_active`,
];

const DOWN = [
  'drop trigger system_client_status_changed on system_client',
  'drop function park_webhooks_of_client()',
  'drop index webhook_subscription_claimable',
  'alter table webhook_subscription drop column client_active',
];
