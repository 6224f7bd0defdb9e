-- Titles and images of a content that are shown to its viewers by chance, to find out which is clicked most (ADR 0083).
create table content_tests (
  id uuid primary key,
  content_id uuid not null references contents on delete cascade,
  state text not null default 'RUNNING' check (state in ('RUNNING', 'WON', 'NO_DIFFERENCE', 'STOPPED')),
  end_reason text
    check (end_reason in ('WINNER_FOUND', 'TIME_OVER', 'STOPPED_BY_MEMBER', 'CONTENT_CHANGED', 'NOT_PUBLIC')),
  variants smallint not null check (variants between 2 and 3),
  apply_winner boolean not null,
  min_days smallint not null check (min_days >= 1),
  max_days smallint not null check (max_days >= min_days),
  started_at timestamptz not null,
  ended_at timestamptz,
  winner smallint,
  applied smallint,
  applied_at timestamptz,
  check ((state = 'RUNNING') = (ended_at is null)),
  check ((state = 'RUNNING') = (end_reason is null)),
  check ((state = 'WON') = (winner is not null)),
  check ((applied is null) = (applied_at is null))
);
create unique index content_tests_running on content_tests (content_id) where state = 'RUNNING';
create index content_tests_newest on content_tests (content_id, started_at, id);
comment on column content_tests.winner is 'Position of the variant that is clicked more often than every other one.';
comment on column content_tests.applied is 'Position of the variant that the content was given last.';

create table content_test_variants (
  id uuid primary key,
  test_id uuid not null references content_tests on delete cascade,
  position smallint not null check (position between 0 and 2),
  title text not null,
  image_id uuid,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  viewers bigint not null default 0,
  unique (test_id, position)
);
comment on table content_test_variants is 'Position 0 is the content as it was when the test started.';
comment on column content_test_variants.image_id is 'The image on cards, which may have been deleted since the test ended; null for none.';
comment on column content_test_variants.viewers is 'Viewers who clicked, each counted once.';

-- The viewers who clicked in a running test, so that each counts once; deleted with its end.
create table content_test_viewers (
  test_id uuid not null references content_tests on delete cascade,
  viewer uuid not null,
  primary key (test_id, viewer)
);

alter table contents add column has_running_test boolean not null default false;
comment on column contents.has_running_test is 'Whether a row of content_tests is RUNNING: cards look for it only then.';

alter table watch_sessions add column variant_id uuid;
comment on column watch_sessions.variant_id is 'The variant of a running test that the card showed; null for none.';
