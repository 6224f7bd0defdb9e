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
comment on column invitations.code_hash is 'HMAC-SHA256 of the code under SECRET_KEY; the code itself is not stored.';
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
  -- The password of the demo account is printed on the terminal.
  constraint accounts_demo_not_operator check (not is_operator or email <> 'demo@reelgraph.localhost')
);
create index accounts_primary_channel on accounts (primary_channel_id);
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

-- The code with which the first operator proves to run the server. At most one exists; it is deleted when used.
create table operator_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  expires_at timestamptz not null
);
comment on column operator_codes.code_hash is 'HMAC-SHA256 of the code under SECRET_KEY; the code itself is not stored.';

create table attempt_counters (
  kind text not null check (kind in ('SIGN_IN_ACCOUNT', 'SIGN_IN_ADDRESS', 'SIGN_UP_ADDRESS', 'PASSWORD_CHANGE', 'OPERATOR_CODE')),
  subject bytea not null check (octet_length(subject) = 32),
  attempts integer not null check (attempts >= 0),
  blocked_until timestamptz not null,
  expires_at timestamptz not null,
  primary key (kind, subject)
);
create index attempt_counters_expiry on attempt_counters (expires_at);
comment on column attempt_counters.subject is 'HMAC-SHA256 under SECRET_KEY of an e-mail address, a client address (IPv6: its /64 network) or the id of an account.';
comment on column attempt_counters.blocked_until is 'No further attempt is accepted before; -infinity: attempts are not blocked.';
comment on column attempt_counters.expires_at is 'When the row expires and may be deleted.';

create table account_settings (
  account_id uuid primary key references accounts on delete cascade,
  -- Whether players may report what this account watches.
  do_not_track boolean not null default false,
  -- Whether watched contents appear in the account's history.
  keep_history boolean not null default true,
  language text not null default 'en',
  updated_at timestamptz not null default now()
);

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
  -- The response body as sent.
  response text,
  created_at timestamptz not null,
  primary key (account_id, key),
  check ((state = 'COMPLETED') = (response is not null))
);
create index idempotency_keys_old on idempotency_keys (created_at);

create table api_key_usage_limits (
  account_id uuid primary key references accounts on delete cascade,
  -- Null: no limit.
  deletes_per_day integer check (deletes_per_day >= 0),
  publishes_per_hour integer check (publishes_per_hour >= 0),
  processing_minutes_per_day integer check (processing_minutes_per_day >= 0),
  updated_at timestamptz not null
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
  primary key (account_id, id)
);
create index api_key_audit_log_by_age on api_key_audit_log using brin (at);

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
