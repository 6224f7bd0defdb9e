/**
 * Whether a video (a row of `video_assets`) was processed and last watched before an instant (a timestamptz parameter);
 * null where that is null.
 */
export function isCold(video: string, before: string): string {
  return (
    `${video}.ready_at < ${before}::timestamptz and coalesce((select f.fetched_on from video_fetches f ` +
    `where f.video_asset_id = ${video}.id), ${video}.ready_at) < ${before}::timestamptz`
  );
}
