-- Sessions that began at an OpenID Connect provider; the identity of an account there is a row of credentials, with the
-- issuer as its provider and the subject as its id at the provider.
create table oidc_sessions (
  session_id uuid primary key references sessions on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  issuer text not null,
  subject text not null,
  -- The claim sid.
  provider_session text,
  -- Tokens of the provider, encrypted.
  sealed_tokens bytea not null,
  created_at timestamptz not null,
  -- When a worker last began to ask the provider for the groups.
  checked_at timestamptz not null
);
create index oidc_sessions_account on oidc_sessions (account_id);
create index oidc_sessions_subject on oidc_sessions (issuer, subject);

-- What an account has because of its groups at a provider, and loses with them.
create table oidc_grants (
  account_id uuid not null references accounts on delete cascade,
  issuer text not null,
  is_operator boolean not null,
  -- Whether the role is taken because the provider has not confirmed it; it returns when the provider does.
  paused boolean not null,
  plan text check (plan in ('PREMIUM', 'PREMIUM_PLUS', 'CREATOR_PLUS')),
  -- When the provider last confirmed it.
  confirmed_at timestamptz not null,
  primary key (account_id, issuer),
  check (is_operator or plan is not null)
);
create index oidc_grants_operators on oidc_grants (confirmed_at) where is_operator and not paused;

-- Logout tokens that were accepted, until they expire: each works once.
create table oidc_logout_tokens (
  issuer text not null,
  token_id text not null,
  expires_at timestamptz not null,
  primary key (issuer, token_id)
);
