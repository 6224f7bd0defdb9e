-- What is missing at the end of a video, because its file is cut off or damaged; 0 where it is complete.
alter table video_assets add column missing_ms integer not null default 0 check (missing_ms >= 0);
