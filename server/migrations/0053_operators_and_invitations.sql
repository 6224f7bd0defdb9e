-- Operators of the server, and invitations to it.

alter table accounts
  add column is_operator   boolean not null default false,
  add column invitation_id uuid unique;
comment on column accounts.is_operator is 'Whether the account may invite people to this server.';
comment on column accounts.invitation_id is 'The invitation the account was created with; null where it took none.';
-- The demo account's password stands in a file and on the terminal.
alter table accounts add constraint accounts_demo_not_operator check (not is_operator or email <> 'demo@reelgraph.localhost');

create table invitations (
  id         uuid primary key,
  code_hash  bytea not null unique check (octet_length(code_hash) = 32),
  email      citext,
  note       text not null default '',
  created_by uuid references accounts on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  revoked_at timestamptz,
  used_at    timestamptz,
  check (revoked_at is null or used_at is null)
);
create index invitations_newest on invitations (created_at desc, id desc);
create index invitations_created_by on invitations (created_by);
comment on table invitations is 'Each lets one person create one account.';
comment on column invitations.code_hash is 'HMAC-SHA256 of the code under SECRET_KEY; the code itself is not kept.';
comment on column invitations.email is 'The only address it is good for; null: any.';
comment on column invitations.created_by is 'Null: the admin command, or an account that is gone.';
alter table accounts add foreign key (invitation_id) references invitations on delete set null;

-- An account and its invitation are written together: whoever comes second, or after a revocation, creates no account.
create function accounts_use_invitation() returns trigger language plpgsql as $$
begin
  update invitations set used_at = new.created_at
   where id = new.invitation_id and used_at is null and revoked_at is null and expires_at > new.created_at
     and (email is null or email = new.email);
  if not found then raise exception 'The invitation % cannot be used.', new.invitation_id; end if;
  return null;
end $$;
create trigger accounts_use_invitation after insert on accounts for each row when (new.invitation_id is not null)
  execute function accounts_use_invitation();

-- By which the first operator proves to run the server; at most one at a time, deleted when it is used.
create table operator_codes (
  code_hash  bytea primary key check (octet_length(code_hash) = 32),
  expires_at timestamptz not null
);
comment on column operator_codes.code_hash is 'HMAC-SHA256 of the code under SECRET_KEY; the code itself is not kept.';
