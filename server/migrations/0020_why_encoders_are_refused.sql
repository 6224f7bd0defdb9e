-- Why the last encoder was refused, as errors of jobs are stored; null after the next one has gone live.
alter table live_inputs
  add column refused_at timestamptz,
  add column error_message text,
  add column error_text jsonb,
  add check ((refused_at is null) = (error_message is null)),
  add check (error_text is null or error_message is not null);
comment on column live_inputs.refused_at is 'When the last encoder was refused.';
