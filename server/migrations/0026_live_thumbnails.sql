-- The picture of a stream in lists is taken again every ten seconds while it is live.
alter table broadcasts add column pictured_at timestamptz;
comment on column broadcasts.pictured_at is
  'When a worker last began to take its picture; null before the first one.';
