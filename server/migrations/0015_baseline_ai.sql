-- Visual features of thumbnails, measured once. All null: the image could not be read.
create table image_features (
  image_id uuid primary key references image_assets on delete cascade,
  measured_at timestamptz not null,
  brightness double precision,
  contrast double precision,
  colourfulness double precision,
  sharpness double precision,
  check (num_nulls(brightness, contrast, colourfulness, sharpness) in (0, 4))
);

-- Predicts the click-through rate of a title and thumbnail, learned from impressions and clicks.
create table virality_models (
  id uuid primary key,
  trained_at timestamptz not null,
  contents integer not null check (contents >= 0),
  impressions bigint not null check (impressions >= 0),
  clicks bigint not null check (clicks >= 0),
  calibration_error double precision,
  feature_gain double precision,
  parameters jsonb not null
);
comment on table virality_models is 'The model in use; each training replaces it.';
comment on column virality_models.contents is 'Public contents with impressions in the training data.';
comment on column virality_models.calibration_error is
  'Mean error of predicted click-through rates on held-out contents; null: too few contents.';
comment on column virality_models.feature_gain is
  'Gain of the features in mean log likelihood of held-out clicks; null: too few contents.';

-- The effect of each channel on the click-through rate.
create table virality_channels (
  model_id uuid not null references virality_models on delete cascade,
  channel_id uuid not null,
  mean double precision not null,
  variance double precision not null,
  pull double precision[] not null,
  primary key (model_id, channel_id)
);
comment on column virality_channels.mean is
  'Deviation of the logit of the click-through rate of the channel from the prediction by features.';
comment on column virality_channels.variance is 'Remaining variance of the mean if the coefficients were known.';
comment on column virality_channels.pull is
  'By column of the model: decrease of the effect per increase of the coefficient.';

-- When a worker last started training, so that only one trains at a time.
create table virality_trainings (
  singleton boolean default true primary key check (singleton),
  started_at timestamptz not null
);

-- Forecasts views of days to come from those of the first days.
create table forecast_models (
  id uuid primary key,
  version integer not null unique check (version > 0),
  trained_at timestamptz not null,
  held_out_loss double precision,
  parameters jsonb not null
);
comment on table forecast_models is 'The model in use; a better one replaces it.';
comment on column forecast_models.held_out_loss is 'Mean loss for held-out videos; null: none had an outcome.';

-- As virality_trainings.
create table forecast_trainings (
  singleton boolean default true primary key check (singleton),
  started_at timestamptz not null
);

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
comment on column content_forecasts.totals is
  'From the day after age to day 90: p10, p50, p90 of the views until then.';
comment on column content_forecasts.daily is 'Likewise, the views of that day.';

-- The last day of each content that was compared with its forecast.
create table content_rises (
  content_id uuid primary key references contents on delete cascade,
  day smallint not null check (day > 0),
  rising boolean not null
);
comment on column content_rises.rising is 'Whether the views of that day were above the forecast.';

insert into virality_trainings (started_at) values ('-infinity');
insert into forecast_trainings (started_at) values ('-infinity');
