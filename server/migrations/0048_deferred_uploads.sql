-- Uploads whose size is not known when they are opened (ADR 0097).
alter table ingestions add column size_deferred boolean not null default false;
comment on column ingestions.size_deferred is 'Whether the size is not known yet: size_bytes is then what is reserved so far.';
drop index ingestions_received;
create index ingestions_received on ingestions (id)
  where state = 'OPEN' and received_bytes = size_bytes and not size_deferred;
