-- Settings of this server that operators change in the application. Null: the default, or what the environment says.
create table instance_settings (
  singleton boolean primary key default true check (singleton),
  name text check (char_length(name) between 1 and 40),
  sign_up text check (sign_up in ('open', 'invite', 'closed')),
  terms_url text check (char_length(terms_url) <= 2000),
  privacy_url text check (char_length(privacy_url) <= 2000),
  updated_at timestamptz not null
);
