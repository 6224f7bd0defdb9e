-- Broadcasts that are scheduled: their stream exists before an encoder connects.
alter table broadcasts
  -- When it is to begin; null where an encoder connected without a schedule.
  add column scheduled_at timestamptz,
  alter column connected_at drop not null,
  drop constraint broadcasts_state_check,
  drop constraint broadcasts_check,
  drop constraint broadcasts_check1,
  -- SCHEDULED: it waits for its time; MISSED: no encoder came; CANCELED: it does not take place.
  add constraint broadcasts_state_check check (state in
    ('SCHEDULED', 'MISSED', 'CANCELED', 'CONNECTED', 'LIVE', 'RECONNECTING', 'ENDED', 'RECORDED')),
  add constraint broadcasts_schedule check (state not in ('SCHEDULED', 'MISSED', 'CANCELED')
    or (scheduled_at is not null and connection_id is null)),
  add constraint broadcasts_stream check (content_id is not null or (state = 'CONNECTED' and scheduled_at is null)),
  add constraint broadcasts_video check
    ((video_asset_id is null) = (state in ('SCHEDULED', 'MISSED', 'CANCELED', 'CONNECTED')));
-- An encoder takes the one of its input that is nearest.
create index broadcasts_scheduled on broadcasts (input_id, scheduled_at) where state = 'SCHEDULED';
drop index broadcasts_unfinished;
create index broadcasts_unfinished on broadcasts (state) where state not in ('RECORDED', 'MISSED', 'CANCELED');
