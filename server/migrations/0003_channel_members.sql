-- Who may do what in a channel. The owner is a member too, so that one look answers every question.

create table channel_members (
  channel_id uuid not null references channels on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  role       text not null check (role in ('OWNER', 'MANAGER', 'EDITOR', 'VIEWER')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (channel_id, account_id)
);
create index channel_members_account on channel_members (account_id, channel_id);
create unique index channel_members_owner on channel_members (channel_id) where role = 'OWNER';

insert into channel_members (channel_id, account_id, role) select id, account_id, 'OWNER' from channels;

create function channels_add_owner() returns trigger language plpgsql as $$
begin
  insert into channel_members (channel_id, account_id, role) values (new.id, new.account_id, 'OWNER');
  return null;
end $$;
create trigger channels_add_owner after insert on channels for each row execute function channels_add_owner();

-- The zone in which a channel's days, weeks and months begin (IANA name).
alter table channels add column time_zone text not null default 'UTC';

-- What an account wants; an account without a row has the defaults.
create table account_settings (
  account_id   uuid primary key references accounts on delete cascade,
  -- Whether players may report what this account watches.
  do_not_track boolean not null default false,
  -- Whether watched contents appear in the account's history.
  keep_history boolean not null default true,
  language     text not null default 'en',
  updated_at   timestamptz not null default now()
);
