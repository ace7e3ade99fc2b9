import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subscriptions and the outbox of what is delivered to them (W-3, W-8, W-10). */
export class Webhooks1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table webhook_attempt, webhook_delivery, webhook_context, webhook_subscription');
  }
}

const UP = [
  `create table webhook_subscription (
     id uuid primary key,
     client_id uuid not null references system_client on delete cascade,
     topic text not null,
     callback text not null,
     format text not null,
     -- hub.query as it came; null sends every event of the topic.
     query jsonb,
     status text not null default 'active' check (status in ('active', 'disabled', 'ended')),
     created_at timestamptz not null default now(),
     -- Set by DELETE: the row stays for as long as there are deliveries of it.
     deleted_at timestamptz,
     -- The first failure after the last success.
     failing_since timestamptz,
     -- Who delivers to it now, and until when unless it says so again. Null: nobody.
     claim_token uuid,
     claimed_until timestamptz
   )`,
  // A callback can be longer than an index entry may be.
  `create unique index webhook_subscription_identity on webhook_subscription (client_id, topic, md5(callback))
     where deleted_at is null`,
  'create index webhook_subscription_topic on webhook_subscription (topic) where deleted_at is null',

  // The contents of notifications, as text: one for each change and format, whoever receives it.
  `create table webhook_context (
     id uuid primary key,
     body text not null,
     created_at timestamptz not null default now()
   )`,
  'create index webhook_context_created on webhook_context (created_at)',

  `create table webhook_delivery (
     id uuid primary key,
     subscription_id uuid not null references webhook_subscription on delete cascade,
     event_id uuid not null,
     -- The body is head, the context's body, tail: made once, and never again (W-4).
     context_id uuid not null references webhook_context on delete cascade,
     head text not null,
     tail text not null,
     correlation_id text not null,
     created_at timestamptz not null default now(),
     status text not null check (status in ('pending', 'delivered', 'dead', 'dropped')),
     -- Since it was published or replayed.
     failures int not null default 0,
     -- Null unless it is pending.
     next_attempt_at timestamptz check ((next_attempt_at is not null) = (status = 'pending'))
   ) with (fillfactor = 90)`,
  `create index webhook_delivery_due on webhook_delivery (subscription_id, next_attempt_at, id)
     where status = 'pending'`,
  'create index webhook_delivery_listed on webhook_delivery (subscription_id, created_at desc, id desc)',
  'create index webhook_delivery_context on webhook_delivery (context_id)',
  `alter table webhook_delivery
     set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`,

  `create table webhook_attempt (
     delivery_id uuid not null references webhook_delivery on delete cascade,
     at timestamptz not null,
     duration_ms int not null,
     -- Of the answer; null when there was none.
     status int,
     -- What kept an answer from coming.
     error text,
     -- The beginning of the answer's body.
     response text
   )`,
  'create index webhook_attempt_delivery on webhook_attempt (delivery_id, at)',
];
