-- What is learnt of impressions and clicks, to tell beforehand how a title and a picture will do.
create table virality_models (
  id                uuid primary key,
  trained_at        timestamptz not null,
  contents          integer not null check (contents >= 0),
  impressions       bigint not null check (impressions >= 0),
  clicks            bigint not null check (clicks >= 0),
  calibration_error double precision,
  feature_gain      double precision,
  parameters        jsonb not null
);
comment on table virality_models is 'The model in use; each training replaces it.';
comment on column virality_models.contents is 'Public contents with impressions that it was made of, with their impressions and clicks.';
comment on column virality_models.calibration_error is 'How far predicted click-through rates lay off those of held-out contents, in the mean; null: too few to tell.';
comment on column virality_models.feature_gain is 'What features add to the mean logarithm of the probability of held-out clicks; null: too few contents to try them.';

-- What was learnt of each channel beside what its contents show.
create table virality_channels (
  model_id   uuid not null references virality_models on delete cascade,
  channel_id uuid not null,
  mean       double precision not null,
  variance   double precision not null,
  pull       double precision[] not null,
  primary key (model_id, channel_id)
);
comment on column virality_channels.mean is 'How far the logit of its click-through rates lies off what features tell.';
comment on column virality_channels.variance is 'Of what is not known of it even if the coefficients were.';
comment on column virality_channels.pull is 'By column of the model, how much the effect falls where the coefficient rises.';

-- What pictures of cards look like, measured once. Without values: it could not be read.
create table image_features (
  image_id      uuid primary key references image_assets on delete cascade,
  measured_at   timestamptz not null,
  brightness    double precision,
  contrast      double precision,
  colourfulness double precision,
  sharpness     double precision,
  check (num_nulls(brightness, contrast, colourfulness, sharpness) in (0, 4))
);

-- When a worker last began to learn, so that only one does.
create table virality_trainings (
  singleton   boolean primary key default true check (singleton),
  started_at timestamptz not null
);
insert into virality_trainings (started_at) values ('-infinity');
