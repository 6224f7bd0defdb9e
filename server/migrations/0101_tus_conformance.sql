-- Whoever deletes a complete upload (tus 1.0.0, "Termination") ends its address; the file is its content's.
alter table ingestions add column terminated_at timestamptz;
comment on column ingestions.terminated_at is
  'When the sender deleted the complete upload: its address is gone, and the file stays; null before that.';

-- tus 1.0.0, "Creation": a file may be empty. Its upload is complete at once, and its processing fails.
alter table ingestions drop constraint ingestions_size_bytes_check;
alter table ingestions add constraint ingestions_size_bytes_check check (size_bytes >= 0);
