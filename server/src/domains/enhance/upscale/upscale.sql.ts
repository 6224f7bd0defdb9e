import { errorTextOf } from '../../../platform/db/stored-text.ts';

/** SQL: the enhanced quality of a video (an alias of video_assets) as JSON, with its receipt; null for none. */
export function upscaleOf(video: string): string {
  return (
    `(select jsonb_build_object('jobId', e.job_id, 'status', j.status, 'progress', j.progress, ` +
    `'error', ${errorTextOf('j')}) || e.input || coalesce(e.receipt, '{}') ` +
    `from enhancements e join transcode_jobs j on j.id = e.job_id ` +
    `where e.video_asset_id = ${video}.id and e.kind = 'UPSCALE')`
  );
}

/** SQL: the displayed size of a video in standard dynamic range, which can be upscaled; null for others. */
export function upscalableSizeOf(video: string): string {
  return (
    `case when ${video}.probe -> 'video' ->> 'hdr' is null and ${video}.original_deleted_at is null ` +
    `and ${video}.width is not null and ${video}.height is not null ` +
    `then jsonb_build_object('displayWidth', ${video}.width, 'displayHeight', ${video}.height) end`
  );
}
