-- Creates the account's primary channel with its owner, the subscription and settings.
create or replace function accounts_complete() returns trigger language plpgsql as $$
begin
  insert into channels (id, account_id, handle, name, title, created_at, updated_at)
  values (new.primary_channel_id, new.id, new.username, new.username, new.name, new.created_at, new.created_at);
  insert into channel_ids (id) values (new.primary_channel_id);
  insert into channel_members (channel_id, account_id, role, created_at, updated_at)
  values (new.primary_channel_id, new.id, 'OWNER', new.created_at, new.created_at);
  insert into subscriptions (account_id) values (new.id);
  insert into account_settings (account_id) values (new.id);
  return null;
end $$;
create or replace trigger accounts_complete after insert on accounts for each row execute function accounts_complete();

-- The test channel of an account, made as p_channel when there is none. Callers hold the lock on its subscription.
create or replace function ensure_test_channel(p_account uuid, p_channel uuid,
  p_now timestamptz) returns uuid language plpgsql as $$
declare found_id uuid;
begin
  select id into found_id from channels where account_id = p_account and is_test;
  if found then return found_id; end if;
  insert into channels (id, account_id, handle, name, title, is_test, created_at, updated_at)
  values (p_channel, p_account, 'test-' || right(p_channel::text, 12), 'Test channel', 'Test channel', true, p_now,
    p_now);
  insert into channel_ids (id) values (p_channel);
  insert into channel_members (channel_id, account_id, role, created_at, updated_at)
  values (p_channel, p_account, 'OWNER', p_now, p_now);
  insert into events (type, channel_id, subject_id) values ('channel.created', p_channel, p_channel);
  return p_channel;
end $$;

-- Marks the invitation as used. Fails, and with it the creation of the account, if the invitation was used or revoked
-- meanwhile.
create or replace function accounts_use_invitation() returns trigger language plpgsql as $$
begin
  update invitations set used_at = new.created_at
   where id = new.invitation_id and used_at is null and revoked_at is null and expires_at > new.created_at
     and (email is null or email = new.email);
  if not found then raise exception 'The invitation % cannot be used.', new.invitation_id; end if;
  return null;
end $$;
create or replace trigger accounts_use_invitation after insert on accounts for each row
  when (new.invitation_id is not null)
  execute function accounts_use_invitation();

-- What a key used of a limit: within an hour for PUBLISHES, within a day otherwise.
create or replace function api_key_usage_total(p_account uuid, p_limit_name text,
  p_now timestamptz) returns double precision language sql stable as $$
  select coalesce(sum(amount), 0) from api_key_usage
  where account_id = p_account and limit_name = p_limit_name
    and at > p_now - case p_limit_name when 'PUBLISHES' then interval '1 hour' else interval '1 day' end
$$;

-- Charges the amount to a usage limit, serialized per account. No row: the account has no such limit. An amount of 0
-- charges nothing and is refused once the limit is used up. retry_at: when the oldest charge stops counting.
create or replace function consume_api_key_usage(p_account uuid, p_limit_name text, p_amount integer, p_now timestamptz,
  p_id uuid) returns TABLE(allowed boolean, per integer, spent double precision,
  retry_at timestamptz) language plpgsql as $$
begin
  select case p_limit_name when 'DELETES' then b.deletes_per_day when 'PUBLISHES' then b.publishes_per_hour
    else b.processing_minutes_per_day end
  into per from api_key_usage_limits b where b.account_id = p_account for update;
  if per is null then return; end if;
  delete from api_key_usage s where s.account_id = p_account and s.at <= p_now - interval '1 day';
  spent := api_key_usage_total(p_account, p_limit_name, p_now);
  allowed := case when p_amount = 0 then spent < per else spent + p_amount <= per end;
  if allowed and p_amount > 0 then
    insert into api_key_usage (id, account_id, limit_name, amount, at) values (p_id, p_account, p_limit_name, p_amount,
      p_now);
  end if;
  if not allowed then
    select min(s.at) + case p_limit_name when 'PUBLISHES' then interval '1 hour' else interval '1 day' end into retry_at
    from api_key_usage s where s.account_id = p_account and s.limit_name = p_limit_name
      and s.at > p_now - case p_limit_name when 'PUBLISHES' then interval '1 hour' else interval '1 day' end;
  end if;
  return next;
end $$;

-- Deletes the access tokens of a rotated or revoked refresh token: one connection has one access token.
create or replace function oauth_revoke_access_tokens() returns trigger language plpgsql as $$
begin
  delete from oauth_access_tokens where refresh_id = new.id;
  return null;
end $$;
create or replace trigger oauth_refresh_tokens_revoked after update of revoked on oauth_refresh_tokens
  for each row when (old.revoked is null and new.revoked is not null) execute function oauth_revoke_access_tokens();
