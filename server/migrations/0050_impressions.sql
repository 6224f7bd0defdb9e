-- How often cards of a content were shown and followed, beside what is counted of its playbacks.
alter table watch_15min
  add column impressions bigint not null default 0,
  add column clicks      bigint not null default 0;
alter table channel_15min
  add column impressions bigint not null default 0,
  add column clicks      bigint not null default 0;
alter table content_daily
  add column impressions bigint not null default 0,
  add column clicks      bigint not null default 0;

-- A session is a playback or the visit of a page; of the latter, whether a card of the content was shown and followed.
alter table watch_sessions
  add column shown    boolean not null default false,
  add column followed boolean not null default false;
