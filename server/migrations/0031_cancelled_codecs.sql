-- Those of videos that may be encoded in the codec again.
create index transcode_jobs_cancelled_codec on transcode_jobs (codec) where codec is not null and status = 'CANCELLED';
