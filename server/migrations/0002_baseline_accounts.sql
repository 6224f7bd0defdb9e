create table invitations (
  id uuid primary key,
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  email citext,
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  used_at timestamptz,
  check (expires_at > created_at),
  check (revoked_at is null or used_at is null)
);
create index invitations_created_by on invitations (created_by);
create index invitations_newest on invitations (created_at desc, id desc);
comment on table invitations is 'An invitation lets one person create one account.';
comment on column invitations.code_hash is
  'HMAC-SHA256 of the code under SECRET_KEY; the code itself is not stored.';
comment on column invitations.email is 'The only address that may use it; null: any.';
comment on column invitations.created_by is 'Null: the admin command, or a deleted account.';

create table accounts (
  id uuid primary key,
  email citext not null unique,
  email_verified boolean not null default false,
  name text not null,
  image text,
  username citext not null unique check (username ~ '^[A-Za-z0-9_][A-Za-z0-9_.-]{1,38}$'),
  primary_channel_id uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_operator boolean not null default false,
  invitation_id uuid unique references invitations on delete set null,
  two_factor_enabled boolean not null default false,
  -- Suspended by operators: the account signs in no more, and its keys and tokens are refused.
  suspended_at timestamptz,
  suspension_reason text check (char_length(suspension_reason) between 1 and 500),
  -- Of an account that is going to be deleted: when that was asked for, and when it happens.
  closed_at timestamptz,
  deletes_at timestamptz,
  -- When everything of its channels was hidden.
  concealed_at timestamptz,
  -- The closed_at of a closing that was undone, until everything is shown again.
  revealing_from timestamptz,
  -- The number of changes of the profile by people.
  profile_revision integer not null default 1,
  constraint accounts_closing check ((closed_at is null) = (deletes_at is null)
    and (concealed_at is null or closed_at is not null) and (revealing_from is null or closed_at is null)),
  -- The password of the demo account is printed on the terminal.
  constraint accounts_demo_not_operator check (not is_operator or email <> 'demo@reelgraph.localhost'),
  constraint accounts_suspension check ((suspended_at is null) = (suspension_reason is null))
);
create index accounts_primary_channel on accounts (primary_channel_id);
create index accounts_newest on accounts (created_at, id);
-- What the search of operators looks through, in lower case.
create index accounts_search on accounts
  using gin (lower(username::text || ' ' || email::text || ' ' || name) gin_trgm_ops);
create index accounts_closed on accounts (deletes_at) where deletes_at is not null;
create index accounts_revealing on accounts (revealing_from) where revealing_from is not null;
comment on column accounts.is_operator is 'Whether the account may invite people to this server.';
comment on column accounts.invitation_id is 'The invitation the account was created with; null for none.';
alter table invitations add foreign key (created_by) references accounts on delete set null;

create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_account on sessions (account_id);

-- How an account signs in: a password hash or an external provider.
create table credentials (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  provider_id text not null,
  provider_account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, provider_account_id)
);
create index credentials_account on credentials (account_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_expiry on verifications (expires_at);
create index verifications_identifier on verifications (identifier);

-- The second factor of an account. The sign-in library writes the rows; it encrypts secret and recovery codes.
create table two_factors (
  id uuid primary key,
  account_id uuid not null unique references accounts on delete cascade,
  secret text not null,
  backup_codes text not null,
  -- Whether a code was entered once; before that it is not asked for.
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  last_used_step bigint
);
comment on column two_factors.last_used_step is
  'Of the last code that was accepted: number of its 30 s since 1970; it and earlier ones are refused.';

-- Passkeys (WebAuthn credentials). counter: an unsigned 32-bit number, which the library reads as a number.
create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text check (char_length(name) between 1 and 60),
  credential_id text not null unique,
  public_key text not null,
  counter double precision not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null
);
create index passkeys_account on passkeys (account_id);

-- Browsers that an account signed in with. browser_hash: HMAC of the account with a random value in a cookie.
create table known_browsers (
  account_id uuid not null references accounts on delete cascade,
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  seen_at timestamptz not null,
  primary key (account_id, browser_hash)
);
create index known_browsers_seen on known_browsers (seen_at);

-- Sign-ups that wait for their address to be confirmed. They are no accounts, and their names stay free until then.
-- token_hash: HMAC-SHA256 of the token in the link; the token itself is not stored.
create table pending_sign_ups (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  email citext not null,
  username citext not null,
  name text not null,
  password_hash text not null,
  invitation_id uuid references invitations on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index pending_sign_ups_email on pending_sign_ups (email);
create index pending_sign_ups_invitation on pending_sign_ups (invitation_id);
create index pending_sign_ups_expired on pending_sign_ups (expires_at);

-- Links that confirm the address of an account, or replace it by a new one.
create table email_confirmations (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id uuid not null references accounts on delete cascade,
  email citext not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_confirmations_account on email_confirmations (account_id);
create index email_confirmations_expired on email_confirmations (expires_at);

-- Links that reset a password.
create table password_resets (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index password_resets_account on password_resets (account_id);
create index password_resets_expired on password_resets (expires_at);

-- The code with which the first operator proves to run the server. At most one exists; it is deleted when used.
create table operator_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  expires_at timestamptz not null
);
comment on column operator_codes.code_hash is
  'HMAC-SHA256 of the code under SECRET_KEY; the code itself is not stored.';

create table attempt_counters (
  kind text not null check (kind in ('SIGN_IN_ACCOUNT', 'SIGN_IN_ADDRESS', 'SIGN_UP_ADDRESS', 'PASSWORD_CHANGE',
    'OPERATOR_CODE', 'RESET_ACCOUNT', 'RESET_ADDRESS', 'CONFIRM_EMAIL')),
  subject bytea not null check (octet_length(subject) = 32),
  attempts integer not null check (attempts >= 0),
  blocked_until timestamptz not null,
  expires_at timestamptz not null,
  primary key (kind, subject)
);
create index attempt_counters_expiry on attempt_counters (expires_at);
comment on column attempt_counters.subject is
  'HMAC-SHA256 under SECRET_KEY of an e-mail address, a client address (IPv6: its /64 network) or the id of an '
  'account.';
comment on column attempt_counters.blocked_until is
  'No further attempt is accepted before; -infinity: attempts are not blocked.';
comment on column attempt_counters.expires_at is 'When the row expires and may be deleted.';

create table account_settings (
  account_id uuid primary key references accounts on delete cascade,
  -- Whether players may report what this account watches.
  do_not_track boolean not null default false,
  -- Whether watched contents appear in the account's history.
  keep_history boolean not null default true,
  language text not null default 'en',
  updated_at timestamptz not null default now(),
  notifications_off text[] not null default '{}',
  notifications_mailed text[] not null default '{}',
  revision integer not null default 1
);
comment on column account_settings.notifications_off is 'Kinds that are not shown in the application.';
comment on column account_settings.notifications_mailed is 'Kinds that are also sent by mail.';

-- The transition table in the code derives access_until from the other columns; SQL only compares it.
create table subscriptions (
  account_id uuid primary key references accounts on delete cascade,
  plan text not null default 'FREE' check (plan in ('FREE', 'PREMIUM', 'PREMIUM_PLUS', 'CREATOR_PLUS')),
  billing_interval text not null default 'MONTHLY' check (billing_interval in ('MONTHLY', 'ANNUAL')),
  state text not null default 'ACTIVE' check (state in ('TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'EXPIRED')),
  bill_at timestamptz,
  ends_at timestamptz,
  canceled_at timestamptz,
  past_due_at timestamptz,
  trial_started_at timestamptz,
  trial_ends_at timestamptz,
  trial_converted boolean not null default false,
  access_until timestamptz not null default '-infinity',
  updated_at timestamptz not null default now(),
  -- Whether the account's key has any usage limit. Read with the viewer, so requests without limits cost nothing extra.
  key_limited boolean not null default false
);

-- Customers at the payment provider. subscription_id: the subscription that decides the plan of the account.
create table payment_customers (
  account_id uuid primary key references accounts on delete cascade,
  customer_id text not null unique,
  subscription_id text,
  created_at timestamptz not null
);

-- Events of the provider that were processed, so that each is processed once.
create table payment_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null
);
create index payment_events_age on payment_events (received_at);

-- Requests with an Idempotency-Key (ADR 0023). state: RUNNING until the response is stored. token: the request that
-- holds the claim; a later request may take it over when the lease has expired and nothing was committed. committed:
-- set in the mutation's own transaction.
create table idempotency_keys (
  account_id uuid not null references accounts on delete cascade,
  key text not null check (length(key) >= 1 and length(key) <= 200),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  state text not null default 'RUNNING' check (state in ('RUNNING', 'COMPLETED')),
  token uuid not null,
  lease_until timestamptz not null,
  committed boolean not null default false,
  response bytea,
  created_at timestamptz not null,
  primary key (account_id, key),
  check ((state = 'COMPLETED') = (response is not null))
);
create index idempotency_keys_old on idempotency_keys (created_at);
comment on column idempotency_keys.response is 'The response as sent, encrypted with AES-256-GCM.';

-- One current key per account. lookup_hash: HMAC-SHA256 of the key. sealed: the key encrypted with AES-256-GCM.
create table api_keys (
  account_id uuid primary key references accounts on delete cascade,
  id uuid not null unique,
  lookup_hash bytea not null unique check (octet_length(lookup_hash) = 32),
  sealed bytea not null,
  hint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

create table api_key_usage_limits (
  account_id uuid primary key references accounts on delete cascade,
  -- Null: no limit.
  deletes_per_day integer check (deletes_per_day >= 0),
  publishes_per_hour integer check (publishes_per_hour >= 0),
  processing_minutes_per_day integer check (processing_minutes_per_day >= 0),
  updated_at timestamptz not null,
  revision integer not null default 1
);

-- Usage of keys with a limit. Rows older than a day no longer count; the next insert deletes them.
create table api_key_usage (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  limit_name text not null check (limit_name in ('DELETES', 'PUBLISHES', 'PROCESSING_MINUTES')),
  amount double precision not null check (amount > 0),
  at timestamptz not null
);
create index api_key_usage_of_account on api_key_usage (account_id, at);

-- The audit log of API keys: one row for each mutation, refused ones included. Rows expire by age; they outlive their
-- account.
create table api_key_audit_log (
  account_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  via text not null check (via in ('API', 'MCP')),
  agent text not null,
  operation text not null,
  -- The DID in the arguments, if any.
  subject text,
  -- OK or the error code.
  outcome text not null,
  token text,
  primary key (account_id, id)
);
create index api_key_audit_log_by_age on api_key_audit_log using brin (at);
comment on column api_key_audit_log.token is
  'Name of the scoped token; null for the key and for connected applications.';

-- Scoped tokens. lookup_hash: HMAC-SHA256 of the token; the token itself is not stored. A revoked token is deleted.
create table api_tokens (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  lookup_hash bytea not null unique check (octet_length(lookup_hash) = 32),
  hint text not null,
  permissions text[] not null check (cardinality(permissions) > 0),
  -- Null: all channels of the account.
  channel_ids uuid[] check (cardinality(channel_ids) > 0),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  -- Test mode: what the token makes is in the account's test channel.
  is_test boolean not null default false,
  constraint api_tokens_test_channel check (not is_test or cardinality(channel_ids) = 1)
);
create unique index api_tokens_name on api_tokens (account_id, lower(name));
create index api_tokens_newest on api_tokens (account_id, created_at desc, id desc);
create index api_tokens_expired on api_tokens (expires_at) where expires_at is not null;

-- The resources that tokens are issued for (RFC 8707). This platform has one row: BASE_URL/mcp.
create table oauth_resources (
  id uuid primary key,
  identifier text not null unique,
  name text not null,
  access_token_ttl integer,
  refresh_token_ttl integer,
  signing_algorithm text,
  signing_key_id text,
  allowed_scopes jsonb,
  custom_claims jsonb,
  dpop_bound_access_tokens_required boolean not null default false,
  disabled boolean not null default false,
  policy_version integer not null default 1,
  metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Registered applications (RFC 7591). Their metadata is not verified.
create table oauth_clients (
  id uuid primary key,
  client_id text not null unique,
  client_secret text,
  client_discovery_id text,
  disabled boolean not null default false,
  skip_consent boolean,
  enable_end_session boolean,
  subject_type text,
  scopes jsonb,
  client_credentials_scopes jsonb,
  account_id uuid references accounts on delete cascade,
  name text,
  uri text,
  icon text,
  contacts jsonb,
  tos text,
  policy text,
  software_id text,
  software_version text,
  software_statement text,
  redirect_uris jsonb not null,
  post_logout_redirect_uris jsonb,
  backchannel_logout_uri text,
  backchannel_logout_session_required boolean,
  token_endpoint_auth_method text,
  application_type text,
  jwks text,
  jwks_uri text,
  grant_types jsonb,
  response_types jsonb,
  require_pkce boolean,
  dpop_bound_access_tokens boolean,
  reference_id text,
  metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index oauth_clients_account on oauth_clients (account_id) where account_id is not null;
create index oauth_clients_created on oauth_clients (created_at);
-- Applications with a client ID metadata document (ADR 0102), which are deleted soon when nobody connects them.
create index oauth_clients_documents on oauth_clients (updated_at) where client_discovery_id is not null;

-- Always empty: every application may request the one resource. The OAuth library requires the table.
create table oauth_client_resources (
  id uuid primary key,
  client_id text not null references oauth_clients (client_id) on delete cascade,
  resource_id text not null references oauth_resources (identifier) on delete cascade,
  metadata jsonb,
  created_at timestamptz not null default now(),
  unique (client_id, resource_id)
);
create index oauth_client_resources_resource on oauth_client_resources (resource_id);

-- Always empty: signed client assertions are not supported. The OAuth library requires the table.
create table oauth_client_assertions (
  id text primary key,
  expires_at timestamptz not null
);

-- token: HMAC-SHA256 of the token and the resource under SECRET_KEY. A rotated row stays until it expires, so that
-- reuse is detected.
create table oauth_refresh_tokens (
  id uuid primary key,
  token text not null unique,
  client_id text not null references oauth_clients (client_id) on delete cascade,
  session_id uuid references sessions on delete set null,
  account_id uuid not null references accounts on delete cascade,
  reference_id text,
  authorization_code_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  revoked timestamptz,
  rotated_at timestamptz,
  rotation_replay_response text,
  rotation_replay_expires_at timestamptz,
  auth_time timestamptz,
  confirmation jsonb,
  scopes jsonb not null
);
create index oauth_refresh_tokens_account on oauth_refresh_tokens (account_id);
create index oauth_refresh_tokens_client on oauth_refresh_tokens (client_id, account_id);
create index oauth_refresh_tokens_code on oauth_refresh_tokens (authorization_code_id);
create index oauth_refresh_tokens_expiry on oauth_refresh_tokens (expires_at);
create index oauth_refresh_tokens_session on oauth_refresh_tokens (session_id);

create table oauth_access_tokens (
  id uuid primary key,
  token text not null unique,
  client_id text not null references oauth_clients (client_id) on delete cascade,
  session_id uuid references sessions on delete set null,
  account_id uuid not null references accounts on delete cascade,
  reference_id text,
  authorization_code_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  refresh_id uuid references oauth_refresh_tokens on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  revoked timestamptz,
  confirmation jsonb,
  scopes jsonb not null
);
create index oauth_access_tokens_account on oauth_access_tokens (account_id);
create index oauth_access_tokens_client on oauth_access_tokens (client_id, account_id);
create index oauth_access_tokens_code on oauth_access_tokens (authorization_code_id);
create index oauth_access_tokens_expiry on oauth_access_tokens (expires_at);
create index oauth_access_tokens_refresh on oauth_access_tokens (refresh_id);
create index oauth_access_tokens_session on oauth_access_tokens (session_id);

-- The permissions an account granted to an application. Deleting the row disconnects the application.
create table oauth_consents (
  id uuid primary key,
  client_id text not null references oauth_clients (client_id) on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  reference_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  scopes jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index oauth_consents_account on oauth_consents (account_id, client_id);
create index oauth_consents_client on oauth_consents (client_id);

-- What operators did. Names are kept, so that a row says who and to whom or what after these were deleted. The API
-- declares the kinds of actions.
create table operator_actions (
  id uuid primary key,
  at timestamptz not null,
  operator_id uuid references accounts on delete set null,
  operator_name text not null,
  action text not null check (action ~ '^[A-Z_]{1,40}$'),
  account_id uuid references accounts on delete set null,
  subject text not null check (char_length(subject) <= 200),
  details text not null default '' check (char_length(details) <= 500),
  -- The details as a message with its values, {"key", "values"}: whoever reads it gets it in their language. Null where
  -- they are what somebody wrote, such as the reason of a suspension.
  details_text jsonb
);
create index operator_actions_newest on operator_actions (at, id);
create index operator_actions_operator on operator_actions (operator_id);
create index operator_actions_account on operator_actions (account_id);
