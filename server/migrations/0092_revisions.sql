-- The number of changes by people: an update that names an earlier one is refused.
alter table contents add column revision integer not null default 1;
alter table channels add column revision integer not null default 1;
alter table playlists add column revision integer not null default 1;
alter table captions add column revision integer not null default 1;
alter table channel_moderation add column revision integer not null default 1;
alter table webhooks add column revision integer not null default 1;
alter table account_settings add column revision integer not null default 1;
alter table api_key_usage_limits add column revision integer not null default 1;
alter table instance_settings add column revision integer not null default 1;

-- An update of updated_at alone is one that changes nothing.
alter table playlists add column items_changed_at timestamptz;
alter table accounts add column profile_revision integer not null default 1;
