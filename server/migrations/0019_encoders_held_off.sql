-- OBS Studio connects again by itself, at growing intervals, after its broadcast was ended here.
alter table live_inputs
  add column refused_until timestamptz,
  add column last_attempt_at timestamptz,
  add check ((refused_until is null) = (last_attempt_at is null));
comment on column live_inputs.refused_until is
  'After a broadcast was ended on request, encoders are refused until then; each attempt moves it.';
alter table broadcasts drop column ended_by_request;
