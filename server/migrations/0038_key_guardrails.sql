-- What an account lets its key do in a time, and what the key did (ADR 0034).

create table api_key_usage_limits (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- Null: no limit.
  deletes_per_day integer check (deletes_per_day >= 0),
  publishes_per_hour integer check (publishes_per_hour >= 0),
  processing_minutes_per_day integer check (processing_minutes_per_day >= 0),
  updated_at timestamptz not null
);

-- Only of accounts with a budget; older than a day they count for nothing and go with the next one.
create table api_key_usage (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  limit_name text not null check (limit_name in ('DELETES', 'PUBLISHES', 'PROCESSING_MINUTES')),
  amount double precision not null check (amount > 0),
  at timestamptz not null
);
create index api_key_usage_of_account on api_key_usage (account_id, at);

create function api_key_usage_total(p_account uuid, p_limit_name text, p_now timestamptz) returns double precision stable language sql as $$
  select coalesce(sum(amount), 0) from api_key_usage
  where account_id = p_account and limit_name = p_limit_name
    and at > p_now - case p_limit_name when 'PUBLISHES' then interval '1 hour' else interval '1 day' end
$$;

-- Takes the amount from the budget, one caller of an account after the other. No row: no such budget. With an amount of 0 nothing is taken, and it is
-- refused once the budget is spent. retry_at is when the oldest that counts does so no more.
create function consume_api_key_usage(p_account uuid, p_limit_name text, p_amount integer, p_now timestamptz, p_id uuid)
returns table (allowed boolean, per integer, spent double precision, retry_at timestamptz) language plpgsql as $$
begin
  select case p_limit_name when 'DELETES' then b.deletes_per_day when 'PUBLISHES' then b.publishes_per_hour else b.processing_minutes_per_day end
  into per from api_key_usage_limits b where b.account_id = p_account for update;
  if per is null then return; end if;
  delete from api_key_usage s where s.account_id = p_account and s.at <= p_now - interval '1 day';
  spent := api_key_usage_total(p_account, p_limit_name, p_now);
  allowed := case when p_amount = 0 then spent < per else spent + p_amount <= per end;
  if allowed and p_amount > 0 then
    insert into api_key_usage (id, account_id, limit_name, amount, at) values (p_id, p_account, p_limit_name, p_amount, p_now);
  end if;
  if not allowed then
    select min(s.at) + case p_limit_name when 'PUBLISHES' then interval '1 hour' else interval '1 day' end into retry_at
    from api_key_usage s where s.account_id = p_account and s.limit_name = p_limit_name
      and s.at > p_now - case p_limit_name when 'PUBLISHES' then interval '1 hour' else interval '1 day' end;
  end if;
  return next;
end $$;

-- Everything that was done with a key: one row for each mutation, refused ones too. Rows of accounts that are gone go with their age.
create table api_key_audit_log (
  account_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  via text not null check (via in ('API', 'MCP')),
  agent text not null,
  operation text not null,
  -- The DID that the arguments name, where they name one.
  subject text,
  -- OK, or the error's code.
  outcome text not null,
  primary key (account_id, id)
);
-- Written in the order of time.
create index api_key_audit_log_by_age on api_key_audit_log using brin (at);
