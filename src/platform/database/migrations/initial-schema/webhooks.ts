/** Subscriptions and the outbox of what is delivered to them (W-3, W-8, W-10). */
export const WEBHOOKS = [
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
     -- The claim of the process that delivers to it now, and its end unless renewed. Null: nobody.
     claim_token uuid,
     claimed_until timestamptz,
     -- Of its topic, at its last change.
     revision bigint not null default 0,
     -- That of the client when the subscription was last created or renewed.
     sha_secret_generation int not null default 0,
     -- Its latest answer took a second or longer; null: none has come yet.
     slow boolean,
     -- The key of the advisory lock of the process that made the claim holder_token.
     holder int,
     holder_token uuid,
     -- A 410 to what was sent before it does not end the subscription.
     renewed_at timestamptz,
     -- Who subscribes locks the row of its client, which is active, until the commit: so this is never behind.
     client_active boolean not null default true,
     -- The callback as URL parsers write it (W-6).
     callback_key text
   )`,
  // A callback can be longer than an index entry may be.
  `create unique index webhook_subscription_identity on webhook_subscription (client_id, topic, md5(callback))
     where deleted_at is null`,
  'create index webhook_subscription_topic on webhook_subscription (topic) where deleted_at is null',
  'create index webhook_subscription_revision on webhook_subscription (topic, revision)',
  `create index webhook_subscription_claimable on webhook_subscription (id)
     where status = 'active' and deleted_at is null and client_active`,

  // Processes cache the subscriptions of a topic: every change that affects whom it notifies gives it the next revision
  // of its topic. The row of the topic is locked until the commit, so that revisions become visible in order. They
  // follow the clock: a database that was set back gets different ones.
  'create table webhook_topic (topic text primary key, revision bigint not null)',
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
  // Changes by leases and attempts do not matter.
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
  `create function park_webhooks_of_client() returns trigger language plpgsql as $$
   begin
     update webhook_subscription set client_active = (new.status = 'active')
      where client_id = new.client_id and deleted_at is null and client_active <> (new.status = 'active');
     return null;
   end $$`,
  `create trigger system_client_status_changed after update of status on system_client
     for each row when (new.status <> old.status) execute function park_webhooks_of_client()`,
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
     next_attempt_at timestamptz check ((next_attempt_at is not null) = (status = 'pending')),
     -- That of the client when the delivery was created.
     sha_secret_generation int not null default 0
   ) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`,
  `create index webhook_delivery_due on webhook_delivery (subscription_id, next_attempt_at, id)
     where status = 'pending'`,
  // Few deliveries are dead: counting or replaying them should read no others (W-7, W-10).
  `create index webhook_delivery_dead on webhook_delivery (subscription_id, created_at) where status = 'dead'`,
  'create index webhook_delivery_listed on webhook_delivery (subscription_id, created_at desc, id desc)',
  'create index webhook_delivery_context on webhook_delivery (context_id)',

  `create table webhook_attempt (
     delivery_id uuid not null references webhook_delivery on delete cascade,
     at timestamptz not null,
     duration_ms int not null,
     -- Of the answer; null when there was none.
     status int,
     -- Why there was no answer.
     error text,
     -- The beginning of the answer's body.
     response text
   )`,
  'create index webhook_attempt_delivery on webhook_attempt (delivery_id, at)',
];
