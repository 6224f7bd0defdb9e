-- Segments of the video's smaller quality that viewers wait for while it is encoded; encoded one by one.
alter table encode_chunks drop constraint encode_chunks_kind_check;
alter table encode_chunks add check (kind in ('audio', 'on-demand', 'video'));
-- When a viewer asked last; null for chunks of the plan.
alter table encode_chunks add column wanted_at timestamptz;
alter table encode_chunks add check ((kind = 'on-demand') = (wanted_at is not null));
