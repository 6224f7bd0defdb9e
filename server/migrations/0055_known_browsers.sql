-- Browsers that an account signed in with. browser_hash: HMAC of the account with the name of browser and system.
create table known_browsers (
  account_id uuid not null references accounts on delete cascade,
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  seen_at timestamptz not null,
  primary key (account_id, browser_hash)
);
create index known_browsers_seen on known_browsers (seen_at);
