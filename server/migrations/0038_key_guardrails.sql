-- What an account lets its key do in a time, and what the key did (ADR 0034).

create table key_budgets (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- Null: no limit.
  deletes_per_day integer check (deletes_per_day >= 0),
  publishes_per_hour integer check (publishes_per_hour >= 0),
  processing_minutes_per_day integer check (processing_minutes_per_day >= 0),
  updated_at timestamptz not null
);

-- Only of accounts with a budget; older than a day they count for nothing and go with the next one.
create table key_spendings (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  budget text not null check (budget in ('DELETES', 'PUBLISHES', 'PROCESSING_MINUTES')),
  amount double precision not null check (amount > 0),
  at timestamptz not null
);
create index key_spendings_of_account on key_spendings (account_id, at);

create function key_spent(p_account uuid, p_budget text, p_now timestamptz) returns double precision stable language sql as $$
  select coalesce(sum(amount), 0) from key_spendings
  where account_id = p_account and budget = p_budget
    and at > p_now - case p_budget when 'PUBLISHES' then interval '1 hour' else interval '1 day' end
$$;

-- Takes the amount from the budget, one caller of an account after the other. No row: no such budget. With an amount of 0 nothing is taken, and it is
-- refused once the budget is spent. retry_at is when the oldest that counts does so no more.
create function spend_of_key(p_account uuid, p_budget text, p_amount integer, p_now timestamptz, p_id uuid)
returns table (allowed boolean, per integer, spent double precision, retry_at timestamptz) language plpgsql as $$
begin
  select case p_budget when 'DELETES' then b.deletes_per_day when 'PUBLISHES' then b.publishes_per_hour else b.processing_minutes_per_day end
  into per from key_budgets b where b.account_id = p_account for update;
  if per is null then return; end if;
  delete from key_spendings s where s.account_id = p_account and s.at <= p_now - interval '1 day';
  spent := key_spent(p_account, p_budget, p_now);
  allowed := case when p_amount = 0 then spent < per else spent + p_amount <= per end;
  if allowed and p_amount > 0 then
    insert into key_spendings (id, account_id, budget, amount, at) values (p_id, p_account, p_budget, p_amount, p_now);
  end if;
  if not allowed then
    select min(s.at) + case p_budget when 'PUBLISHES' then interval '1 hour' else interval '1 day' end into retry_at
    from key_spendings s where s.account_id = p_account and s.budget = p_budget
      and s.at > p_now - case p_budget when 'PUBLISHES' then interval '1 hour' else interval '1 day' end;
  end if;
  return next;
end $$;

-- Everything that was done with a key: one row for each mutation, refused ones too. Rows of accounts that are gone go with their age.
create table key_actions (
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
create index key_actions_by_age on key_actions using brin (at);
