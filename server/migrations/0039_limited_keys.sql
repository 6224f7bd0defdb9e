-- Whether any budget is set for the account's key: read with the viewer, so that those without one pay nothing for it.
alter table subscriptions add column key_limited boolean not null default false;
