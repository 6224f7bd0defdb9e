-- Terms of service and privacy policy that this server shows itself, in Markdown. They replace the addresses.
create table instance_texts (
  kind text primary key check (kind in ('terms', 'privacy')),
  markdown text not null check (char_length(markdown) between 1 and 100000),
  changed_at timestamptz not null
);

-- The logo that operators chose, decoded and encoded again by this server: one small PNG.
create table instance_logo (
  singleton boolean primary key default true check (singleton),
  png bytea not null check (octet_length(png) between 1 and 1000000),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- Of the PNG; in its address.
  digest text not null check (digest ~ '^[0-9a-f]{16}$'),
  changed_at timestamptz not null
);
