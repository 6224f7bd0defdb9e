-- Features that operators switched off. The names are those of server/src/kernel/features.ts.
alter table instance_settings add column features_off text[] not null default '{}';
