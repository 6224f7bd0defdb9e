-- Sign-in with a second factor, by the sign-in library. Secrets and recovery codes are encrypted by it.
alter table accounts add column two_factor_enabled boolean not null default false;
create table two_factors (
  id uuid primary key,
  account_id uuid not null unique references accounts on delete cascade,
  secret text not null,
  backup_codes text not null,
  -- Whether a code was entered once; before that it is not asked for.
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);

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
