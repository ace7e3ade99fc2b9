import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How processes that cache the subscriptions of a topic know whether they have them all: every change that affects whom
 * a subscription notifies gives it the next revision of its topic. See
 * src/webhooks/subscriptions/subscription-register.ts.
 */
export class SubscriptionRevisions1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  'create table webhook_topic (topic text primary key, revision bigint not null)',
  'alter table webhook_subscription add column revision bigint not null default 0',
  'create index webhook_subscription_revision on webhook_subscription (topic, revision)',
  // The row of the topic is locked until the commit, so that revisions become visible in order. They follow the clock:
  // a database that has lost some of its history gets different ones.
  `create function revise_webhook_subscription() returns trigger language plpgsql as $$
   begin
     insert into webhook_topic as t (topic, revision)
     values (new.topic, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
         on conflict (topic) do update set revision = greatest(t.revision + 1, excluded.revision)
     returning t.revision into new.revision;
     return new;
   end $$`,
  `create trigger webhook_subscription_added before insert on webhook_subscription
     for each row execute function revise_webhook_subscription()`,
  // Changes by leases and attempts do not matter to the register.
  `create trigger webhook_subscription_changed before update on webhook_subscription
     for each row when ((old.client_id, old.query, old.status, old.deleted_at, old.revision)
           is distinct from (new.client_id, new.query, new.status, new.deleted_at, new.revision))
     execute function revise_webhook_subscription()`,
  // The scopes of a client restrict what its subscriptions are sent.
  `create function revise_webhook_subscriptions_of_client() returns trigger language plpgsql as $$
   begin
     update webhook_subscription set revision = revision - 1 where client_id = new.client_id and deleted_at is null;
     return null;
   end $$`,
  `create trigger system_client_scopes_changed after update of scopes on system_client
     for each row when (old.scopes is distinct from new.scopes)
     execute function revise_webhook_subscriptions_of_client()`,
  `insert into webhook_topic (topic, revision)
   select distinct topic, (extract(epoch from clock_timestamp()) * 1000000)::bigint from webhook_subscription`,
];

const DOWN = [
  'drop trigger system_client_scopes_changed on system_client',
  'drop trigger webhook_subscription_changed on webhook_subscription',
  'drop trigger webhook_subscription_added on webhook_subscription',
  'drop function revise_webhook_subscriptions_of_client()',
  'drop function revise_webhook_subscription()',
  'drop table webhook_topic',
  'alter table webhook_subscription drop column revision',
];
