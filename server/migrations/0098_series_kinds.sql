-- Kinds of contents have the words of the API: SERIES and MINISERIES. Triggers move counters, lists and the search.
alter table contents drop constraint contents_kind_check;
update contents set kind = kind || 'S' where kind in ('SERIE', 'MINISERIE');
alter table contents add constraint contents_kind_check
  check (kind in ('FEATURE', 'SHORT', 'SERIES', 'SEASON', 'EPISODE', 'MINISERIES', 'STREAM'));
