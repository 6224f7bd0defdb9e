-- Quotas of plans that operators changed, by plan (or TRIAL) and name of the quota; see server/src/kernel/plans.ts.
alter table instance_settings add column plan_quotas jsonb not null default '{}';
