-- Forecasts views of days to come from those of the first days (ADR 0078).
create table forecast_models (
  id uuid primary key,
  version integer not null unique check (version > 0),
  trained_at timestamptz not null,
  held_out_loss double precision,
  parameters jsonb not null
);
comment on table forecast_models is 'The model in use; a better one replaces it.';
comment on column forecast_models.held_out_loss is 'Mean loss for held-out videos; null: none had an outcome.';

-- When a worker last started training, so that only one trains at a time.
create table forecast_trainings (
  singleton boolean default true primary key check (singleton),
  started_at timestamptz not null
);

insert into forecast_trainings (started_at) values ('-infinity');

-- Forecasts as they were made, so that they can be compared with what came.
create table content_forecasts (
  content_id uuid not null references contents on delete cascade,
  age smallint not null check (age > 0),
  made_at timestamptz not null,
  model_version integer check (model_version > 0),
  model_trained_at timestamptz,
  steps jsonb not null,
  totals jsonb not null,
  daily jsonb not null,
  primary key (content_id, age),
  check ((model_version is null) = (model_trained_at is null))
);
comment on column content_forecasts.age is 'Complete days since the publication when it was made.';
comment on column content_forecasts.model_version is 'Null: the prior.';
comment on column content_forecasts.steps is 'What is known of the models, by the day that they forecast.';
comment on column content_forecasts.totals is 'From the day after age to day 90: p10, p50, p90 of the views until then.';
comment on column content_forecasts.daily is 'Likewise, the views of that day.';

-- The last day of each content that was compared with its forecast.
create table content_rises (
  content_id uuid primary key references contents on delete cascade,
  day smallint not null check (day > 0),
  rising boolean not null
);
comment on column content_rises.rising is 'Whether the views of that day were above the forecast.';
