-- OAuth 2.1 for applications that cannot hold a key (ADR 0033). The rows are written by better-auth's provider, except where said.
-- Lists are JSON arrays of text, because the library writes them as JSON.

-- Applications: whoever registers (RFC 7591) is one. What they say of themselves is not verified.
create table oauth_clients (
  id                                  uuid primary key,
  client_id                           text not null unique,
  client_secret                       text,
  client_discovery_id                 text,
  disabled                            boolean not null default false,
  skip_consent                        boolean,
  enable_end_session                  boolean,
  subject_type                        text,
  scopes                              jsonb,
  client_credentials_scopes           jsonb,
  account_id                          uuid references accounts on delete cascade,
  name                                text,
  uri                                 text,
  icon                                text,
  contacts                            jsonb,
  tos                                 text,
  policy                              text,
  software_id                         text,
  software_version                    text,
  software_statement                  text,
  redirect_uris                       jsonb not null,
  post_logout_redirect_uris           jsonb,
  backchannel_logout_uri              text,
  backchannel_logout_session_required boolean,
  token_endpoint_auth_method          text,
  application_type                    text,
  jwks                                text,
  jwks_uri                            text,
  grant_types                         jsonb,
  response_types                      jsonb,
  require_pkce                        boolean,
  dpop_bound_access_tokens            boolean,
  reference_id                        text,
  metadata                            jsonb,
  created_at                          timestamptz not null default now(),
  updated_at                          timestamptz not null default now()
);
create index oauth_clients_created on oauth_clients (created_at);
create index oauth_clients_account on oauth_clients (account_id) where account_id is not null;

-- What tokens are for (RFC 8707): the one row of this platform, BASE_URL/mcp, is written by us.
create table oauth_resources (
  id                              uuid primary key,
  identifier                      text not null unique,
  name                            text not null,
  access_token_ttl                integer,
  refresh_token_ttl               integer,
  signing_algorithm               text,
  signing_key_id                  text,
  allowed_scopes                  jsonb,
  custom_claims                   jsonb,
  dpop_bound_access_tokens_required boolean not null default false,
  disabled                        boolean not null default false,
  policy_version                  integer not null default 1,
  metadata                        jsonb,
  created_at                      timestamptz not null default now(),
  updated_at                      timestamptz not null default now()
);

-- Empty, as every application may ask for the one resource; the library does not start without the table.
create table oauth_client_resources (
  id          uuid primary key,
  client_id   text not null references oauth_clients (client_id) on delete cascade,
  resource_id text not null references oauth_resources (identifier) on delete cascade,
  metadata    jsonb,
  created_at  timestamptz not null default now(),
  unique (client_id, resource_id)
);
create index oauth_client_resources_resource on oauth_client_resources (resource_id);

-- token = HMAC-SHA256 of the token under SECRET_KEY and the resource. A rotated row stays until it expires, so that its reuse is noticed.
create table oauth_refresh_tokens (
  id                         uuid primary key,
  token                      text not null unique,
  client_id                  text not null references oauth_clients (client_id) on delete cascade,
  session_id                 uuid references sessions on delete set null,
  account_id                 uuid not null references accounts on delete cascade,
  reference_id               text,
  authorization_code_id      text,
  resources                  jsonb,
  requested_user_info_claims jsonb,
  expires_at                 timestamptz not null,
  created_at                 timestamptz not null,
  revoked                    timestamptz,
  rotated_at                 timestamptz,
  rotation_replay_response   text,
  rotation_replay_expires_at timestamptz,
  auth_time                  timestamptz,
  confirmation               jsonb,
  scopes                     jsonb not null
);
create index oauth_refresh_tokens_client on oauth_refresh_tokens (client_id, account_id);
create index oauth_refresh_tokens_account on oauth_refresh_tokens (account_id);
create index oauth_refresh_tokens_session on oauth_refresh_tokens (session_id);
create index oauth_refresh_tokens_code on oauth_refresh_tokens (authorization_code_id);
create index oauth_refresh_tokens_expiry on oauth_refresh_tokens (expires_at);

create table oauth_access_tokens (
  id                         uuid primary key,
  token                      text not null unique,
  client_id                  text not null references oauth_clients (client_id) on delete cascade,
  session_id                 uuid references sessions on delete set null,
  account_id                 uuid not null references accounts on delete cascade,
  reference_id               text,
  authorization_code_id      text,
  resources                  jsonb,
  requested_user_info_claims jsonb,
  refresh_id                 uuid references oauth_refresh_tokens on delete cascade,
  expires_at                 timestamptz not null,
  created_at                 timestamptz not null,
  revoked                    timestamptz,
  confirmation               jsonb,
  scopes                     jsonb not null
);
create index oauth_access_tokens_client on oauth_access_tokens (client_id, account_id);
create index oauth_access_tokens_account on oauth_access_tokens (account_id);
create index oauth_access_tokens_session on oauth_access_tokens (session_id);
create index oauth_access_tokens_refresh on oauth_access_tokens (refresh_id);
create index oauth_access_tokens_code on oauth_access_tokens (authorization_code_id);
create index oauth_access_tokens_expiry on oauth_access_tokens (expires_at);

-- A refresh token that is rotated or revoked takes the access tokens made with it along: one connection has one access token.
create function oauth_revoke_access_tokens() returns trigger language plpgsql as $$
begin
  delete from oauth_access_tokens where refresh_id = new.id;
  return null;
end $$;
create trigger oauth_refresh_tokens_revoked after update of revoked on oauth_refresh_tokens
  for each row when (old.revoked is null and new.revoked is not null) execute function oauth_revoke_access_tokens();

-- What an account allowed an application, once; its end ends the connection.
create table oauth_consents (
  id                         uuid primary key,
  client_id                  text not null references oauth_clients (client_id) on delete cascade,
  account_id                 uuid not null references accounts on delete cascade,
  reference_id               text,
  resources                  jsonb,
  requested_user_info_claims jsonb,
  scopes                     jsonb not null,
  created_at                 timestamptz not null,
  updated_at                 timestamptz not null
);
create index oauth_consents_account on oauth_consents (account_id, client_id);
create index oauth_consents_client on oauth_consents (client_id);

-- Empty, as applications cannot prove themselves by signed assertions; the library does not start without the table.
create table oauth_client_assertions (
  id         text primary key,
  expires_at timestamptz not null
);

create index verifications_expiry on verifications (expires_at);
