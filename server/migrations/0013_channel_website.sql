alter table channels add column website_url text check (length(website_url) <= 2048);
comment on column channels.website_url is 'https or http URL; null without one.';
