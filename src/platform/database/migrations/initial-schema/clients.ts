/** Machine clients, the keys that sign their tokens, and the assertions that they have used. */
export const CLIENTS = [
  // A deleted client keeps its row: its id is never used again, so that no token of it becomes valid.
  `create table system_client (
     client_id uuid primary key,
     name text not null,
     registered_as text,
     scopes text[] not null,
     secret_hash bytea not null,
     sha_secret_sealed text not null,
     status text not null default 'active' check (status in ('active', 'deactivated', 'deleted')),
     created_at timestamptz not null default now(),
     created_by text not null,
     -- The format of notifications for subscriptions that name none (W-14).
     webhook_format text not null default 'standard',
     -- Counts the replacements of sha_secret (W-15).
     sha_secret_generation int not null default 0,
     -- The secret that was replaced last is accepted until then (I-1).
     replaced_secret_hash bytea,
     replaced_secret_until timestamptz,
     -- The public keys of private_key_jwt, at most five (U-10).
     jwks jsonb
   )`,

  `create table replaced_sha_secret (
     client_id uuid not null references system_client on delete cascade,
     generation int not null,
     -- As it was in system_client.
     sealed text not null,
     replaced_at timestamptz not null default now(),
     primary key (client_id, generation)
   )`,

  // RFC 7523: each assertion is accepted once.
  `create table spent_assertion (
     client_id uuid not null references system_client on delete cascade,
     jti_hash bytea not null,
     expires_at timestamptz not null,
     primary key (client_id, jti_hash)
   )`,
  'create index spent_assertion_expired on spent_assertion (expires_at)',

  `create table signing_key (
     kid text primary key,
     public_key text not null,
     private_key_sealed text not null,
     created_at timestamptz not null default now(),
     -- Set by rotation: the key no longer signs, and is accepted until its last token has expired.
     accepted_until timestamptz
   )`,

  // Keys that are stored sealed, so that SECRETS_KEY can change (P-6).
  'create table kept_key (name text primary key, key_sealed text not null)',
];
