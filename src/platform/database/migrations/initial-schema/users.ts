/** Users, their sessions, and what is sent to them (U-1 to U-9). */
export const USERS = [
  `create table user_account (
     user_id uuid primary key,
     -- In NFC.
     username text not null,
     -- Without differences of letter case: a user name belongs to one user.
     username_key text not null unique,
     firstname text not null,
     surname text not null,
     role text not null,
     primary_office_id uuid not null,
     status text not null check (status in ('pending', 'active', 'deactivated')),
     email text,
     mobile text,
     -- Argon2id in PHC format. Null until the user has set a password.
     password_hash text,
     -- [{"key": …, "answerHash": …}], in the order in which they are asked.
     security_questions jsonb not null default '[]',
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     -- Grows with each change, so that processes read again what has changed.
     revision bigint not null default 0,
     -- The roles that the user has had while active.
     roles_held text[] not null default '{}',
     -- How the name looks: a new one must not look like another (U-6).
     username_skeleton text
   )`,
  emailKey(),
  'create unique index user_account_email on user_account (email_key(email)) where email is not null',
  'create unique index user_account_mobile on user_account (mobile) where mobile is not null',
  'create index user_account_office on user_account (primary_office_id)',
  'create index user_account_revision on user_account (revision)',
  'create index user_account_skeleton on user_account (username_skeleton)',
  'create sequence user_revision',
  // The lock is held until the commit, so that revisions become visible in order.
  `create function user_revised() returns trigger language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(hashtext('matricula.users'));
     new.revision := nextval('user_revision');
     new.updated_at := now();
     if new.status = 'active' and not new.role = any (new.roles_held) then
       new.roles_held := new.roles_held || new.role;
     end if;
     perform pg_notify('user_changed', '');
     return new;
   end $$`,
  `create trigger user_revised before insert or update on user_account
   for each row execute function user_revised()`,

  // One for each login. A family that has ended is deleted.
  `create table session_family (
     family_id uuid primary key,
     user_id uuid not null references user_account on delete cascade,
     current_jti uuid not null,
     -- Accepted until the grace has passed since rotated_at.
     previous_jti uuid,
     rotated_at timestamptz,
     created_at timestamptz not null default now(),
     expires_at timestamptz not null,
     -- The lifetime of the longest access token that was signed for it: its end is remembered as long.
     token_seconds int not null default 604800
   ) with (fillfactor = 70)`,
  // None on expires_at, which every rotation changes: a rotation touches no index, and is a HOT update.
  'create index session_family_of on session_family (user_id)',

  // The state of a login or a recovery between its requests, by nonce.
  `create table login_step (
     nonce_hash bytea primary key,
     flow text not null check (flow in ('login', 'password', 'username')),
     user_id uuid not null references user_account on delete cascade,
     -- Of the code that was sent; null when none is awaited.
     code_hash bytea,
     attempts int not null default 0,
     resends int not null default 0,
     -- The security question that was asked; null when none is to be answered.
     question_key text,
     -- Whether everything was shown that the flow asks for.
     passed boolean not null default false,
     created_at timestamptz not null default now(),
     expires_at timestamptz not null
   )`,
  'create index login_step_of on login_step (user_id)',
  'create index login_step_expired on login_step (expires_at)',

  `create table recovery_link (
     token_hash bytea primary key,
     user_id uuid not null references user_account on delete cascade,
     flow text not null check (flow in ('password', 'username')),
     created_at timestamptz not null default now(),
     expires_at timestamptz not null
   )`,
  'create index recovery_link_of on recovery_link (user_id)',
  'create index recovery_link_expired on recovery_link (expires_at)',

  // Requests of such links that are not served yet.
  `create table recovery_request (
     request_id uuid primary key,
     email text,
     mobile text,
     flow text not null check (flow in ('password', 'username')),
     -- Of the address that asks.
     network text not null,
     expires_at timestamptz not null,
     check (num_nonnulls(email, mobile) = 1)
   )`,

  // The outbox of what is sent to users through the country configuration.
  `create table user_notice (
     notice_id uuid primary key,
     position bigint not null generated always as identity,
     -- The last segment of the trigger's address.
     event text not null,
     user_id uuid not null,
     correlation_id text not null,
     -- The body of the request, sealed; null once it is delivered, expired or dead.
     body_sealed text,
     created_at timestamptz not null default now(),
     -- When it is of no more use.
     expires_at timestamptz not null,
     status text not null check (status in ('pending', 'delivered', 'expired', 'dead')),
     settled_at timestamptz,
     failures int not null default 0,
     next_attempt_at timestamptz check ((next_attempt_at is not null) = (status = 'pending')),
     claim_token uuid,
     claimed_until timestamptz,
     holder int,
     holder_token uuid,
     -- How its last attempt failed, such as \`answered 503\`; null until one has. It says nothing of the notice.
     last_failure text,
     check ((body_sealed is not null) = (status = 'pending'))
   ) with (fillfactor = 70)`,
  `create index user_notice_due on user_notice (event, (failures > 0), next_attempt_at) where status = 'pending'`,
  `create index user_notice_expired on user_notice (expires_at) where status = 'pending'`,
  `create index user_notice_of on user_notice (user_id) where status = 'pending'`,
  'create index user_notice_claimed on user_notice (claim_token) where claim_token is not null',
  'create index user_notice_settled on user_notice (settled_at) where settled_at is not null',
  `create index user_notice_dead on user_notice (settled_at) where status = 'dead'`,

  // Access tokens that ended before their time, by jti, and the sessions that they belong to, by family.
  `create table revoked_token (
     id uuid primary key,
     -- The caller that revoked it by its jti, since nobody may fill the table; null for sessions.
     subject text,
     -- Processes read the rows that no earlier snapshot has shown them: a sequence is not committed in order.
     txid xid8 not null default pg_current_xact_id(),
     -- When the last token that it refuses has expired.
     expires_at timestamptz not null
   )`,
  'create index revoked_token_txid on revoked_token (txid)',
  'create index revoked_token_of on revoked_token (subject) where subject is not null',
  'create index revoked_token_expired on revoked_token (expires_at)',
];

/**
 * Letters of either case are one in e-mail addresses, by Unicode's simple mapping and with one small sigma, whatever
 * the locale of the database: `lower` knows only ASCII in the locale C, and turns `I` into `ı` in Turkish.
 */
function emailKey(): string {
  const mapping = [
    ['ς', 'σ'],
    // The only one whose small form is two code points.
    ['İ', 'i'],
  ];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const letter = String.fromCodePoint(code);
    const small = letter.toLowerCase();
    if (small !== letter && Array.from(small).length === 1) mapping.push([letter, small]);
  }
  const [capitals, smalls] = [0, 1].map((at) => mapping.map((pair) => pair[at]).join(''));
  return `create function email_key(email text) returns text language sql immutable strict parallel safe
    return translate(email, '${capitals}', '${smalls}')`;
}
