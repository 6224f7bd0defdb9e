-- Broadcasts that begin when their channel says so, rather than with the encoder.
alter table live_inputs
  add column start_mode text not null default 'AUTOMATIC' check (start_mode in ('AUTOMATIC', 'MANUAL'));
alter table broadcasts
  -- As the input had it when the encoder connected.
  add column start_mode text not null default 'AUTOMATIC' check (start_mode in ('AUTOMATIC', 'MANUAL')),
  -- When its channel started it; null before, and where it starts by itself.
  add column start_requested_at timestamptz check (start_requested_at is null or start_mode = 'MANUAL');
