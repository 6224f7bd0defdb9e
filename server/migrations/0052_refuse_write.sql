-- Ends a statement whose write did not do what it had to, so that nothing of it stays. `name` tells which condition failed.
create function refuse_write(name text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'RG001', message = name;
end $$;
