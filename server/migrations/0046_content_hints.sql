-- Hints of contents as clients send them (ADR 0090).
alter table contents add column contains_ads text
  constraint contents_contains_ads_check check (contains_ads in ('NO', 'MAYBE', 'YES'));
comment on column contents.contains_ads is 'Whether it contains advertising, by its creator; null if not specified.';
alter table categories add column created_at timestamptz not null default now();
