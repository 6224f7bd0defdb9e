import { errorTextOf } from '../../../platform/db/stored-text.ts';

/** SQL: the upmix of a video (an alias of video_assets) as JSON, with its receipt once complete; null for none. */
export function upmixOf(video: string): string {
  return (
    `(select jsonb_build_object('jobId', u.job_id, 'status', j.status, 'progress', j.progress, ` +
    `'error', ${errorTextOf('j')}) || u.input || coalesce(u.receipt, '{}') ` +
    `from enhancements u join transcode_jobs j on j.id = u.job_id ` +
    `where u.video_asset_id = ${video}.id and u.kind = 'UPMIX')`
  );
}
