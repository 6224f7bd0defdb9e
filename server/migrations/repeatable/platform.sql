-- Adds to a counter. Concurrent backends update different shards.
create or replace function counter_add(p_scope text, p_key uuid, p_delta bigint) returns void language sql as $$
  insert into counters (scope, key, shard, value)
  values (p_scope, p_key, (pg_backend_pid() % 16)::smallint, p_delta)
  on conflict (scope, key, shard) do update set value = counters.value + excluded.value;
$$;

-- The value of a counter.
create or replace function counter_value(p_scope text,
  p_key uuid) returns bigint language sql stable parallel safe as $$
  select coalesce(sum(value), 0)::bigint from counters where scope = p_scope and key = p_key;
$$;

-- Aborts a statement whose write did not meet its condition, so that nothing of it is kept. `name` says which condition
-- failed.
create or replace function refuse_write(name text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'RG001', message = name;
end $$;

-- A value such that its JSON is what platform/db/types.ts makes of it in a column of its own: only instants differ.
-- PostgreSQL chooses the function by the type and puts its expression in place of the call. Those for dates and text
-- are there because they would be taken for instants otherwise.
create or replace function in_json(value timestamptz) returns text language sql stable parallel safe as $$
  select case when isfinite(value) then to_char(value, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') else value::text end;
$$;
create or replace function in_json(value timestamp) returns timestamp language sql immutable parallel safe as $$
  select value;
$$;
create or replace function in_json(value date) returns date language sql immutable parallel safe as $$
  select value;
$$;
create or replace function in_json(value text) returns text language sql immutable parallel safe as $$
  select value;
$$;
create or replace function in_json(value anyelement) returns anyelement language sql immutable parallel safe as $$
  select value;
$$;
