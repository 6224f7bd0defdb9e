-- The models that enlarge videos, as the worker found them that looked last (ADR 0084).
create table upscale_models (
  name text primary key,
  source text not null check (source in ('BUILT_IN', 'OPERATOR')),
  state text not null check (state in ('READY', 'REFUSED')),
  reason text,
  digest text check (digest ~ '^[0-9a-f]{64}$'),
  probe_version integer,
  facts jsonb,
  cost double precision check (cost > 0),
  provider text,
  measured jsonb not null default '[]',
  found_at timestamptz not null,
  check ((state = 'REFUSED') = (reason is not null)),
  check (source = 'BUILT_IN' or state = 'REFUSED' or (digest is not null and facts is not null and cost is not null))
);
comment on table upscale_models is
  'Models that enlarge videos; without rows, no worker has looked. Those of the platform are refused where the workers '
  'cannot run models.';
comment on column upscale_models.digest is 'SHA-256 of the file, in hexadecimal; null where it was not read.';
comment on column upscale_models.facts is 'What the probe found out: see ModelFacts.';
comment on column upscale_models.cost is 'CPU seconds for a million pixels, on one core of an ordinary server.';
comment on column upscale_models.provider is 'The execution provider of ONNX Runtime that is used; null: the CPU, unmeasured.';
comment on column upscale_models.measured is 'What was measured of each provider: see MeasuredProvider.';
